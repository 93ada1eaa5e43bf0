"""`digestlog policy`: test, rules, add, import, remove."""

from __future__ import annotations

import gzip
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Terminal

from digestlog.core.policy import KINDS, REASONS
from digestlog.core.policy_rules import packaged

HOSTS = """\
# A list
127.0.0.1 localhost
0.0.0.0 ads.example pop.example
||evil.example^
@@||good.evil.example^
||some.example^$third-party
what is this
"""
REASON = ("--reason", "malware_or_phishing")


@pytest.fixture
def hosts(tmp_path: Path) -> str:
    """A list in a file."""
    path = tmp_path / "hosts.txt"
    path.write_text(HOSTS)
    return str(path)


@pytest.fixture
def loaded(digestlog: Terminal, hosts: str) -> Terminal:
    """Commands on a file with a list and two rules."""
    digestlog("policy", "import", hosts, "--name", "bad", *REASON)
    digestlog("policy", "add", "host", "bit.ly", "--decision", "allow")
    digestlog("policy", "add", "path", "/private/*", "--reason", "duplicate", "--words", "nobody's business")
    return digestlog


# --- test -------------------------------------------------------------------------------------


def test_test_explains_the_decision_and_where_it_came_from(loaded: Terminal) -> None:
    done = loaded(
        "policy",
        "test",
        "https://www.ads.example/x",
        "https://bit.ly/x",
        "https://films.xxx/",
        "https://a.example/private/1",
        "https://a.example/",
    )
    assert done.stdout.splitlines() == [
        "block (malware_or_phishing)  https://www.ads.example/x",
        "  because  on the list bad: known to be malicious",
        "  host     www.ads.example",
        "  by       the list bad: ads.example",
        "allow  https://bit.ly/x",
        "  because  a rule allows it",
        "  host     bit.ly",
        "  by       own rule: host bit.ly",
        "block (adult_content)  https://films.xxx/",
        "  because  this ending was made for adult content",
        "  host     films.xxx",
        "  by       packaged rule: tld xxx",
        "block (duplicate)  https://a.example/private/1",
        "  because  nobody's business",
        "  host     a.example",
        "  by       own rule: path /private/*",
        "allow  https://a.example/",
        "  because  no rule speaks against it",
        "  host     a.example",
    ]
    assert done.stderr == ""


def test_test_prints_json(loaded: Terminal) -> None:
    found = loaded.json("policy", "test", "good.evil.example", "x.evil.example")
    assert found == [
        {
            "input": "good.evil.example",
            "decision": "allow",
            "reason_code": None,
            "hostname": "good.evil.example",
            "pattern": None,
            "reason": "no rule speaks against it",
            "kind": None,
            "origin": None,
            "list_name": None,
        },
        {
            "input": "x.evil.example",
            "decision": "block",
            "reason_code": "malware_or_phishing",
            "hostname": "x.evil.example",
            "pattern": "evil.example",
            "reason": "on the list bad: known to be malicious",
            "kind": "domain",
            "origin": "list",
            "list_name": "bad",
        },
    ]


def test_test_tells_what_is_no_address_and_goes_on(digestlog: Terminal) -> None:
    words = ("policy", "test", "mailto:x", "https://a.example/", "\x1b[31m a b")
    done = digestlog(*words, code=1)
    assert done.stdout.startswith("allow  https://a.example/\n")
    assert "Error: 'mailto:x' has no identity (unsupported_scheme)" in done.stderr
    assert "\x1b" not in done.stderr
    found = digestlog.json(*words, code=1)
    assert [one.get("error") for one in found] == ["unsupported_scheme", None, "invalid"]
    assert found[0]["hint"]


@pytest.mark.parametrize("code", REASONS)
def test_test_shows_every_reason_code(digestlog: Terminal, code: str) -> None:
    digestlog("policy", "add", "domain", "a.example", "--reason", code, "--decision", "review")
    (found,) = digestlog.json("policy", "test", "https://x.a.example/")
    assert (found["decision"], found["reason_code"]) == ("review", code)


# --- rules ------------------------------------------------------------------------------------


def test_rules_lists_own_rules_lists_and_packaged_ones(loaded: Terminal) -> None:
    done = loaded("policy", "rules")
    head, *lines = done.stdout.splitlines()
    assert head.split() == ["ORIGIN", "KIND", "PATTERN", "DECISION", "REASON", "WORDS"]
    assert [line.split()[0] for line in lines[:4]] == ["own", "own", "list", "packaged"]
    assert "3 names  bad" in lines[2]
    assert len(lines) == 3 + len(packaged().rules)
    counts = f"2 own rules, 1 list with 3 names, {len(packaged().rules)} packaged rules"
    assert counts in done.stderr
    assert loaded("policy", "rules", root=["--quiet"]).stderr == ""


def test_rules_prints_json(loaded: Terminal) -> None:
    found = loaded.json("policy", "rules")
    assert [one["pattern"] for one in found["own"]] == ["bit.ly", "/private/*"]
    assert [(one["name"], one["domains"]) for one in found["lists"]] == [("bad", 3)]
    assert len(found["packaged"]) == len(packaged().rules)
    assert set(found["packaged"][0]) == {"kind", "pattern", "decision", "reason_code", "words"}


# --- add --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_add_writes_a_rule_of_each_kind(digestlog: Terminal, kind: str) -> None:
    pattern = "/x/*" if kind in ("path", "url") else "example"
    added = digestlog.json("policy", "add", kind, pattern)
    assert (added["kind"], added["pattern"]) == (kind, pattern)
    assert (added["decision"], added["reason_code"]) == ("block", "unknown")
    assert digestlog.json("policy", "rules")["own"] == [added]


def test_add_replaces_a_rule_with_the_same_pattern(digestlog: Terminal) -> None:
    digestlog("policy", "add", "tld", "top")
    done = digestlog("policy", "add", "tld", ".TOP", "--decision", "allow")
    assert done.stdout.splitlines()[1].split()[1:] == ["tld", "top", "allow"]
    assert len(digestlog.json("policy", "rules")["own"]) == 1


def test_add_refuses_what_cannot_be_used(digestlog: Terminal) -> None:
    done = digestlog("policy", "add", "host", "https://a.example/", code=1)
    assert done.stderr.startswith("Error: 'https://a.example/' is no host\nHint: ")
    assert "braces" in digestlog("policy", "add", "path", "/{a", code=1).stderr
    digestlog("policy", "add", "regex", ".*", code=2)
    digestlog("policy", "add", "tld", "top", "--reason", "because", code=2)
    digestlog("policy", "add", "tld", "top", "--decision", "forbid", code=2)


# --- import -----------------------------------------------------------------------------------


def test_import_tells_what_it_took_and_what_it_left_out(digestlog: Terminal, hosts: str) -> None:
    done = digestlog("policy", "import", hosts, "--name", "bad", *REASON)
    assert done.stdout == "bad: 3 names, 1 exception (4 new, 0 gone)\n"
    assert done.stderr.splitlines() == [
        "left out: names of the own machine or network: 1; rules about less than a whole domain: 1; "
        "lines that cannot be understood: 1",
        "  line 7: what is this",
    ]


def test_import_prints_json(digestlog: Terminal, hosts: str) -> None:
    found = digestlog.json("policy", "import", hosts, "--name", "bad", *REASON, "--words", " by us ")
    assert found == {
        "name": "bad",
        "decision": "block",
        "reason_code": "malware_or_phishing",
        "words": "by us",
        "domains": 3,
        "exceptions": 1,
        "added": 4,
        "removed": 0,
        "lines": 7,
        "left_out": {"local": 1, "partial": 1, "unreadable": 1},
        "examples": [{"line": 7, "why": "unreadable", "text": "what is this"}],
    }


def test_import_reads_standard_input_and_gzip(digestlog: Terminal) -> None:
    words = ("policy", "import", "-", "--name", "bad", *REASON)
    assert digestlog.json(*words, input=gzip.compress(HOSTS.encode()))["domains"] == 3
    again = digestlog.json(*words, input="0.0.0.0 ads.example\n0.0.0.0 new.example\n")
    assert (again["domains"], again["added"], again["removed"]) == (2, 1, 3)
    done = digestlog(*words, input="a.example\n", root=["--quiet"])
    assert (done.stdout, done.stderr) == ("bad: 1 name, 0 exceptions (1 new, 2 gone)\n", "")


def test_import_of_a_list_that_allows_needs_no_reason(digestlog: Terminal) -> None:
    digestlog("policy", "import", "-", "--name", "ours", "--decision", "allow", input="bit.ly\n")
    (found,) = digestlog.json("policy", "test", "https://bit.ly/x")
    assert (found["decision"], found["list_name"]) == ("allow", "ours")


@pytest.mark.parametrize(
    ("option", "decisions"),
    [((), ["allow", "block"]), (("--below",), ["block", "block"]), (("--exact",), ["allow", "allow"])],
)
def test_import_may_be_told_what_the_names_mean(
    digestlog: Terminal, option: tuple[str, ...], decisions: list[str]
) -> None:
    body = "0.0.0.0 a.example\nb.example\n"
    digestlog("policy", "import", "-", "--name", "bad", *REASON, *option, input=body)
    found = digestlog.json("policy", "test", "x.a.example", "x.b.example")
    assert [one["decision"] for one in found] == decisions


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("--name", "bad"),
        REASON,
        ("--name", "bad", "--decision", "review"),
        ("--name", "x", "--reason", "y"),
    ],
)
def test_import_of_a_list_demands_a_name_and_a_reason(
    digestlog: Terminal, hosts: str, words: tuple[str, ...]
) -> None:
    digestlog("policy", "import", hosts, *words, code=2)
    digestlog("policy", "import", "missing.txt", "--name", "bad", *REASON, code=2)


AS_LIST = ("--name", "bad", *REASON)


@pytest.mark.parametrize(
    ("body", "options", "words"),
    [
        (b"", AS_LIST, "nothing in it is the name of a domain"),
        (b"<html>\n<body>Not found</body>\n", AS_LIST, "nothing in it is the name of a domain"),
        (gzip.compress(HOSTS.encode())[:-9], AS_LIST, "damaged"),
        (b"\x1f\x8bxx", AS_LIST, "damaged"),
        (b'{"rules": 3}', (), "no file of rules"),
        (gzip.compress(b'{"rules": []}' + random.Random(1).randbytes(50_000))[:-9], (), "damaged"),
    ],
)
def test_import_refuses_what_is_no_list_and_keeps_the_old_one(
    loaded: Terminal, body: bytes, options: tuple[str, ...], words: str
) -> None:
    done = loaded("policy", "import", "-", *options, input=body, code=1)
    assert words in done.stderr
    assert loaded.json("policy", "rules")["lists"][0]["domains"] == 3


def test_import_shows_progress_on_a_terminal(
    digestlog: Terminal, hosts: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str] = []
    monkeypatch.setattr("digestlog.cli.output.Progress.show", lambda self, text: shown.append(text))
    digestlog("policy", "import", hosts, "--name", "bad", *REASON)
    assert shown == ["4 names read from 7 lines"]


def rules_file(*rules: dict[str, Any]) -> str:
    return json.dumps({"rules": rules})


def test_import_of_rules_makes_them_ones_own(loaded: Terminal) -> None:
    body = rules_file(
        {
            "kind": "tld",
            "patterns": ["top", "zip"],
            "decision": "block",
            "reason_code": "spam_or_low_quality",
        },
        {"kind": "host", "pattern": "bit.ly", "decision": "block", "words": "not any more"},
    )
    assert loaded("policy", "import", "-", input=body).stdout == "3 rules of your own written\n"
    own = loaded.json("policy", "rules")["own"]
    assert [(one["kind"], one["pattern"], one["decision"]) for one in own] == [
        ("host", "bit.ly", "block"),
        ("path", "/private/*", "block"),
        ("tld", "top", "block"),
        ("tld", "zip", "block"),
    ]


def test_own_rules_go_out_as_json_and_come_in_again(loaded: Terminal, tmp_path: Path, now: Any) -> None:
    own = loaded.json("policy", "rules")["own"]
    other = Terminal(tmp_path / "other.db", now)
    found = other.json("policy", "import", "-", input=rules_file(*own))
    assert found["rules"] == own


def test_import_of_rules_takes_no_options(digestlog: Terminal) -> None:
    body = rules_file({"kind": "tld", "pattern": "top", "decision": "block"})
    digestlog("policy", "import", "-", "--name", "bad", input=body, code=2)
    digestlog("policy", "import", "-", "--exact", input=body, code=2)


# --- remove -----------------------------------------------------------------------------------


def test_remove_takes_lists_and_rules(loaded: Terminal) -> None:
    done = loaded("policy", "remove", "bad", "bit.ly")
    assert done.stdout == "removed the list bad with 3 names\nremoved the rule host bit.ly\n"
    (rule,) = loaded.json("policy", "rules")["own"]
    removed = loaded.json("policy", "remove", rule["id"][:8])["removed"]
    assert removed == [rule]
    assert loaded.json("policy", "rules")["own"] == []


def test_remove_tells_what_is_not_there(loaded: Terminal) -> None:
    done = loaded("policy", "remove", "bad", "nothing", code=1)
    assert done.stderr.startswith("Error: there is no list or rule called nothing\nHint: ")
    assert loaded.json("policy", "rules")["lists"]
    loaded("policy", "remove", code=2)


# --- who may ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "words",
    [
        ("test", "https://a.example/"),
        ("rules",),
        ("add", "tld", "top"),
        ("import", "-", "--name", "bad", "--reason", "unknown"),
        ("import", "-"),
        ("remove", "bad"),
    ],
)
def test_only_an_admin_may(loaded: Terminal, words: tuple[str, ...]) -> None:
    loaded("users", "add", "anna")
    body = (
        "a.example\n"
        if "--name" in words
        else rules_file({"kind": "tld", "pattern": "a", "decision": "allow"})
    )
    before = loaded.json("policy", "rules")
    done = loaded("policy", *words, root=["--user", "anna"], input=body, code=1)
    assert "anna is no admin" in done.stderr
    assert loaded.json("policy", "rules") == before


@pytest.mark.skipif(sys.platform == "win32", reason="no pipes of this kind")
def test_import_reads_a_real_pipe(digestlog: Terminal) -> None:
    from cli.conftest import program

    done = program(
        "--db", str(digestlog.path), "policy", "import", "-", "--name", "bad", *REASON, input=HOSTS.encode()
    )
    assert (done.returncode, done.stdout) == (0, b"bad: 3 names, 1 exception (4 new, 0 gone)\n")
