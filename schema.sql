-- digestlog: the whole schema of one file, version 1.
--
-- digestlog makes a new file from this text in one transaction and stamps it with
-- application_id 0x64676C67 ("dglg") and user_version 1. A change here needs a new
-- version and a step in store/migrations.py.
--
-- Reading guide
--   ledger    sources_master_list -> extracted_article_urls -> scraped_articles
--   digests   users, categories, article_history -> syntheses -> synthesis_items
--   library   url_submissions -> urls -> url_observations -> url_change_events
--   V1        the five tables of the older tracker, mirrored by trigger
--
-- Types. Tables are STRICT, so TEXT is text. The CHECK on a column says what kind of text:
--   a time     2026-02-12T14:03:12+00:00, UTC, fixed width: text order is time order;
--              strftime with '+0 days' refuses days such as 30 February
--   a boolean  0 or 1
--   JSON       json_valid, and no NUL in a text of it, as \u0000 (which \\u0000 is not)
--   a UUID     36 lower-case characters
--   a hash     64 lower-case hexadecimal digits (SHA-256)
-- A text that is not there is NULL, never ''; no text holds a NUL character.
-- Every table has created_at; rows that change have updated_at, kept by a trigger.


-- == The clock and the identity rules ==========================================================

-- Normally empty. A command that was told its time (`--now`) writes it here at the start of each
-- transaction and takes it out before the end, so that triggers agree with the command.
CREATE TABLE clock (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    now_utc_iso TEXT NOT NULL CHECK (now_utc_iso IS strftime('%Y-%m-%dT%H:%M:%S+00:00', now_utc_iso, '+0 days') AND now_utc_iso >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- What every trigger takes for "now".
CREATE VIEW moment AS
SELECT coalesce(
    (SELECT now_utc_iso FROM clock),
    strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')
) AS now_utc_iso;

-- Which URL rules made the identities in this file (docs/urls.md). One row. Stored identities are
-- never recomputed in silence: `digestlog doctor` tells of other numbers, an explicit command rewrites.
CREATE TABLE url_identity (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    canon_version INTEGER NOT NULL CHECK (canon_version >= 1),
    rules_version INTEGER NOT NULL CHECK (rules_version >= 1),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;


-- == Users, plans, settings ====================================================================

-- The first user is the owner: an admin on the paid plan.
CREATE TABLE users (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    name TEXT NOT NULL CHECK (instr(name, char(0)) = 0 AND name <> '') UNIQUE,
    role TEXT NOT NULL DEFAULT 'user' CHECK (role IN ('admin', 'user')),
    password_hash TEXT CHECK (instr(password_hash, char(0)) = 0 AND password_hash <> ''),
    session_epoch INTEGER NOT NULL DEFAULT 0 CHECK (session_epoch >= 0),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- Whose file it is: the user who was made with it. One row that never changes; the owner cannot be removed.
CREATE TABLE file_owner (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    user_id TEXT NOT NULL UNIQUE REFERENCES users (id) ON DELETE RESTRICT,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- What lets a browser in: a link to sign in, good for one use; a session; the address of a feed. The person
-- holds the token, the file only its hash, so that nobody comes in by reading the file.
CREATE TABLE access_tokens (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('link', 'session', 'feed')),
    token_sha256 TEXT NOT NULL CHECK (length(CAST(token_sha256 AS BLOB)) = 64 AND length(token_sha256) = 64 AND token_sha256 NOT GLOB '*[^0-9a-f]*') UNIQUE,
    -- The user's when it was made: it is good only as long as the user has the same.
    session_epoch INTEGER NOT NULL CHECK (session_epoch >= 0),
    -- NULL: until it is revoked.
    expires_at TEXT CHECK (expires_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', expires_at, '+0 days') AND expires_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (expires_at IS NOT NULL OR kind IS 'feed')
) STRICT;
CREATE INDEX idx_access_tokens_user ON access_tokens (user_id, kind);

-- What a plan allows. max_tracked_urls NULL: no limit.
CREATE TABLE plan_definitions (
    plan TEXT NOT NULL CHECK (instr(plan, char(0)) = 0 AND plan <> '') PRIMARY KEY,
    max_tracked_urls INTEGER CHECK (max_tracked_urls >= 0),
    full_history INTEGER NOT NULL DEFAULT 0 CHECK (full_history IN (0, 1)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

CREATE TABLE subscriptions (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    plan TEXT NOT NULL REFERENCES plan_definitions (plan),
    status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'past_due', 'canceled')),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_subscriptions_plan ON subscriptions (plan);

-- The plan that counts for each user now: the active subscription's, otherwise free.
CREATE VIEW user_plans AS
SELECT
    users.id AS user_id,
    plan_definitions.plan,
    plan_definitions.max_tracked_urls,
    plan_definitions.full_history
FROM users
LEFT JOIN subscriptions ON subscriptions.user_id = users.id AND subscriptions.status = 'active'
JOIN plan_definitions ON plan_definitions.plan = coalesce(subscriptions.plan, 'free');

CREATE TABLE onboarding_state (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    step TEXT NOT NULL CHECK (instr(step, char(0)) = 0 AND step <> ''),
    completed_at TEXT CHECK (completed_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', completed_at, '+0 days') AND completed_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- One row a user; a user without a row has the defaults.
CREATE TABLE settings (
    user_id TEXT PRIMARY KEY NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    -- For how many days an article does not come back; 0 turns the history off.
    article_history_days INTEGER NOT NULL DEFAULT 90 CHECK (article_history_days BETWEEN 0 AND 365),
    -- In how many of the latest digests a site counts as already heard; 0: sites may repeat.
    source_diversity_window INTEGER NOT NULL DEFAULT 0 CHECK (source_diversity_window BETWEEN 0 AND 100),
    max_items_per_category INTEGER NOT NULL DEFAULT 5 CHECK (max_items_per_category BETWEEN 1 AND 100),
    language TEXT NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'fr')),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;


-- == Ledger ====================================================================================

-- How many sources of each method there have ever been: numbers are never used twice.
CREATE TABLE source_numbers (
    url_scraping_method TEXT PRIMARY KEY NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    last_number INTEGER NOT NULL DEFAULT 0 CHECK (last_number >= 0),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- What a person follows. RSS: a feed. Direct: a page that has none. A source that was removed keeps
-- its row, because the ledger refers to it; adding it again brings it back under the same id.
CREATE TABLE sources_master_list (
    source_uuid TEXT PRIMARY KEY NOT NULL
        CHECK (instr(source_uuid, char(0)) = 0
            AND (source_uuid GLOB 'W_RSS_[1-9]*' AND substr(source_uuid, 7) NOT GLOB '*[^0-9]*'
                OR source_uuid GLOB 'W_DIRECT_[1-9]*' AND substr(source_uuid, 10) NOT GLOB '*[^0-9]*')),
    source_name TEXT NOT NULL CHECK (instr(source_name, char(0)) = 0 AND source_name <> ''),
    source_url TEXT NOT NULL CHECK (instr(source_url, char(0)) = 0 AND source_url <> '') UNIQUE,
    url_scraping_method TEXT NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    paused_reason TEXT CHECK (instr(paused_reason, char(0)) = 0 AND paused_reason <> ''),
    removed_at TEXT CHECK (removed_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', removed_at, '+0 days') AND removed_at >= '0001'),
    site_url TEXT CHECK (instr(site_url, char(0)) = 0 AND site_url <> ''),
    -- Where it stands in an OPML file: names of nested folders, joined by '/'.
    folder TEXT CHECK (instr(folder, char(0)) = 0 AND folder <> ''),
    -- May this source, and only this one, point into a private network?
    allow_private INTEGER NOT NULL DEFAULT 0 CHECK (allow_private IN (0, 1)),
    -- CSS selectors that override what a Direct scan would find by itself.
    link_selector TEXT CHECK (instr(link_selector, char(0)) = 0 AND link_selector <> ''),
    date_selector TEXT CHECK (instr(date_selector, char(0)) = 0 AND date_selector <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (removed_at IS NULL OR is_active = 0),
    CHECK (source_uuid GLOB 'W_' || upper(url_scraping_method) || '_*')
) STRICT;

-- What the next visit needs to know of the last ones.
CREATE TABLE source_fetch_state (
    source_uuid TEXT PRIMARY KEY NOT NULL REFERENCES sources_master_list (source_uuid) ON DELETE CASCADE,
    etag TEXT CHECK (instr(etag, char(0)) = 0 AND etag <> ''),
    last_modified TEXT CHECK (instr(last_modified, char(0)) = 0 AND last_modified <> ''),
    body_sha256 TEXT CHECK (length(CAST(body_sha256 AS BLOB)) = 64 AND length(body_sha256) = 64 AND body_sha256 NOT GLOB '*[^0-9a-f]*'),
    last_scanned_at TEXT CHECK (last_scanned_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', last_scanned_at, '+0 days') AND last_scanned_at >= '0001'),
    last_success_at TEXT CHECK (last_success_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', last_success_at, '+0 days') AND last_success_at >= '0001'),
    -- NULL: due at once.
    next_scan_at TEXT CHECK (next_scan_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', next_scan_at, '+0 days') AND next_scan_at >= '0001'),
    -- Back to when its entries were looked at when it was last read: an answer of "nothing new" counts
    -- only for a scan that looks no further back.
    read_since TEXT CHECK (read_since IS strftime('%Y-%m-%dT%H:%M:%S+00:00', read_since, '+0 days') AND read_since >= '0001'),
    -- How long the feed itself asks to be left alone.
    min_interval_s INTEGER CHECK (min_interval_s >= 0),
    consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    -- Why the last visit failed, in a person's words; NULL after a success.
    last_error TEXT CHECK (instr(last_error, char(0)) = 0 AND last_error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_source_fetch_state_next ON source_fetch_state (next_scan_at);

-- The ledger itself: each article once and for ever, by its canonical final URL.
CREATE TABLE extracted_article_urls (
    -- "A_" and the first 16 hexadecimal digits of sha256(article_url_final).
    article_uuid TEXT PRIMARY KEY NOT NULL
        CHECK (length(CAST(article_uuid AS BLOB)) = 18 AND length(article_uuid) = 18 AND article_uuid GLOB 'A_*'
            AND substr(article_uuid, 3) NOT GLOB '*[^0-9a-f]*'),
    -- The source that was first to show it; the others are in article_source_mentions.
    source_uuid TEXT NOT NULL REFERENCES sources_master_list (source_uuid),
    url_scraping_method TEXT NOT NULL CHECK (url_scraping_method IN ('RSS', 'Direct')),
    source_url TEXT NOT NULL CHECK (instr(source_url, char(0)) = 0 AND source_url <> ''),
    article_title TEXT CHECK (instr(article_title, char(0)) = 0 AND article_title <> ''),
    article_url_original TEXT NOT NULL CHECK (instr(article_url_original, char(0)) = 0 AND article_url_original <> ''),
    article_url_final TEXT NOT NULL CHECK (instr(article_url_final, char(0)) = 0 AND article_url_final <> '') UNIQUE,
    url_original_to_final_match INTEGER NOT NULL CHECK (url_original_to_final_match IN (0, 1)),
    -- What made the final URL of the original one: tokens joined by ',' in a fixed order.
    url_notes TEXT CHECK (instr(url_notes, char(0)) = 0 AND url_notes <> ''),
    published_utc_iso TEXT CHECK (published_utc_iso IS strftime('%Y-%m-%dT%H:%M:%S+00:00', published_utc_iso, '+0 days') AND published_utc_iso >= '0001'),
    article_detected_utc_iso TEXT NOT NULL CHECK (article_detected_utc_iso IS strftime('%Y-%m-%dT%H:%M:%S+00:00', article_detected_utc_iso, '+0 days') AND article_detected_utc_iso >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (url_original_to_final_match = (article_url_original = article_url_final)),
    CHECK (url_notes IS NOT NULL OR url_original_to_final_match = 1)
) STRICT;
CREATE INDEX idx_extracted_article_urls_source ON extracted_article_urls (source_uuid, article_detected_utc_iso);
CREATE INDEX idx_extracted_article_urls_original ON extracted_article_urls (article_url_original);
CREATE INDEX idx_extracted_article_urls_detected ON extracted_article_urls (article_detected_utc_iso);
CREATE INDEX idx_extracted_article_urls_published ON extracted_article_urls (published_utc_iso);

-- When an article was first seen is history, and history does not change.
CREATE TRIGGER extracted_article_urls_first_seen_is_final
BEFORE UPDATE ON extracted_article_urls
WHEN NEW.article_detected_utc_iso IS NOT OLD.article_detected_utc_iso
    OR NEW.created_at IS NOT OLD.created_at
    OR NEW.article_uuid IS NOT OLD.article_uuid
BEGIN
    SELECT RAISE(ABORT, 'article_uuid, article_detected_utc_iso and created_at never change');
END;

-- Inserting an article again, by INSERT OR REPLACE for one, changes nothing either.
CREATE TRIGGER extracted_article_urls_first_insert_is_final
BEFORE INSERT ON extracted_article_urls
WHEN EXISTS (SELECT 1 FROM extracted_article_urls AS known WHERE known.article_uuid = NEW.article_uuid
    AND known.article_url_final = NEW.article_url_final)
BEGIN
    SELECT RAISE(IGNORE);
END;

-- The same id for another address is a collision, which no way of inserting may hide.
CREATE TRIGGER extracted_article_urls_no_collision
BEFORE INSERT ON extracted_article_urls
WHEN EXISTS (SELECT 1 FROM extracted_article_urls AS known WHERE known.article_uuid = NEW.article_uuid
    AND known.article_url_final <> NEW.article_url_final)
BEGIN
    SELECT RAISE(ABORT, 'another address has this article_uuid');
END;

-- When a title or a date was added to an article that was found without: of two files that are merged, the
-- earlier one counts, as if one machine had seen it all.
CREATE TABLE article_completions (
    article_uuid TEXT NOT NULL REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    field TEXT NOT NULL CHECK (field IN ('article_title', 'published_utc_iso')),
    completed_at TEXT NOT NULL CHECK (completed_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', completed_at, '+0 days') AND completed_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (article_uuid, field)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER extracted_article_urls_completed AFTER UPDATE OF article_title, published_utc_iso ON extracted_article_urls
WHEN OLD.article_title IS NULL AND NEW.article_title IS NOT NULL
    OR OLD.published_utc_iso IS NULL AND NEW.published_utc_iso IS NOT NULL
BEGIN
    INSERT INTO article_completions (article_uuid, field, completed_at, created_at)
    SELECT NEW.article_uuid, 'article_title', now_utc_iso, now_utc_iso FROM moment
    WHERE OLD.article_title IS NULL AND NEW.article_title IS NOT NULL
    ON CONFLICT DO NOTHING;
    INSERT INTO article_completions (article_uuid, field, completed_at, created_at)
    SELECT NEW.article_uuid, 'published_utc_iso', now_utc_iso, now_utc_iso FROM moment
    WHERE OLD.published_utc_iso IS NULL AND NEW.published_utc_iso IS NOT NULL
    ON CONFLICT DO NOTHING;
END;

-- Every source that referred to the article, with the address as that source wrote it.
CREATE TABLE article_source_mentions (
    article_uuid TEXT NOT NULL REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    source_uuid TEXT NOT NULL REFERENCES sources_master_list (source_uuid),
    article_url_original TEXT NOT NULL CHECK (instr(article_url_original, char(0)) = 0 AND article_url_original <> ''),
    first_seen_at TEXT NOT NULL CHECK (first_seen_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', first_seen_at, '+0 days') AND first_seen_at >= '0001'),
    -- How it was found: the way in which the feed or page was read, where the date stood, and its text there.
    found_by TEXT CHECK (instr(found_by, char(0)) = 0 AND found_by <> ''),
    date_from TEXT CHECK (instr(date_from, char(0)) = 0 AND date_from <> ''),
    published_raw TEXT CHECK (instr(published_raw, char(0)) = 0 AND published_raw <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (article_uuid, source_uuid)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_article_source_mentions_source ON article_source_mentions (source_uuid, first_seen_at);

-- Each address as a source wrote it, where it led, and which article it is: a known one costs no request.
-- unresolved: no answer yet; the article stands under this address and is moved once the answer comes.
-- failed: it never came, or led nowhere that can be an article; the article stays under this address.
CREATE TABLE url_resolutions (
    article_url_original TEXT PRIMARY KEY NOT NULL CHECK (instr(article_url_original, char(0)) = 0 AND article_url_original <> ''),
    article_uuid TEXT NOT NULL REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    status TEXT NOT NULL CHECK (status IN ('resolved', 'unresolved', 'failed')),
    -- NULL: there was no redirect.
    resolved_url TEXT CHECK (instr(resolved_url, char(0)) = 0 AND resolved_url <> ''),
    -- The redirects on the way: a list of {"status", "url"}.
    hops TEXT NOT NULL DEFAULT '[]' CHECK (instr(hops, char(0)) = 0 AND json_valid(hops) AND replace(hops, '\\', '') NOT GLOB '*\u0000*' AND json_type(hops) IS 'array'),
    http_status INTEGER CHECK (http_status BETWEEN 100 AND 599),
    attempts INTEGER NOT NULL DEFAULT 1 CHECK (attempts >= 1),
    next_attempt_at TEXT CHECK (next_attempt_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', next_attempt_at, '+0 days') AND next_attempt_at >= '0001'),
    last_error TEXT CHECK (instr(last_error, char(0)) = 0 AND last_error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK ((next_attempt_at IS NOT NULL) = (status IS 'unresolved'))
) STRICT;
CREATE INDEX idx_url_resolutions_article ON url_resolutions (article_uuid);
CREATE INDEX idx_url_resolutions_due ON url_resolutions (next_attempt_at) WHERE status = 'unresolved';

-- What the last reading of a source left out, and why: a list of [url, reason, published].
CREATE TABLE source_left_out (
    source_uuid TEXT PRIMARY KEY NOT NULL REFERENCES sources_master_list (source_uuid) ON DELETE CASCADE,
    left_out TEXT NOT NULL DEFAULT '[]' CHECK (instr(left_out, char(0)) = 0 AND json_valid(left_out) AND replace(left_out, '\\', '') NOT GLOB '*\u0000*' AND json_type(left_out) IS 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- One row for each distinct version of an article's content.
CREATE TABLE scraped_articles (
    scrape_id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(scrape_id AS BLOB)) = 36 AND scrape_id GLOB '????????-????-????-????-????????????'
        AND length(replace(scrape_id, '-', '')) = 32 AND replace(scrape_id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    article_uuid TEXT NOT NULL REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    scraped_at TEXT NOT NULL CHECK (scraped_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', scraped_at, '+0 days') AND scraped_at >= '0001'),
    http_status INTEGER CHECK (http_status BETWEEN 100 AND 599),
    title TEXT CHECK (instr(title, char(0)) = 0 AND title <> ''),
    author TEXT CHECK (instr(author, char(0)) = 0 AND author <> ''),
    language TEXT CHECK (instr(language, char(0)) = 0 AND language <> ''),
    published_utc_iso TEXT CHECK (published_utc_iso IS strftime('%Y-%m-%dT%H:%M:%S+00:00', published_utc_iso, '+0 days') AND published_utc_iso >= '0001'),
    content_text TEXT NOT NULL CHECK (instr(content_text, char(0)) = 0 AND content_text <> ''),
    content_sha256 TEXT NOT NULL CHECK (length(CAST(content_sha256 AS BLOB)) = 64 AND length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    UNIQUE (article_uuid, content_sha256)
) STRICT;

-- How far scraping has come with an article. No row: nothing was tried yet, the same as pending.
CREATE TABLE scrape_state (
    article_uuid TEXT PRIMARY KEY NOT NULL
        REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ok', 'empty', 'failed', 'gone')),
    attempts INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    next_attempt_at TEXT CHECK (next_attempt_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', next_attempt_at, '+0 days') AND next_attempt_at >= '0001'),
    last_error TEXT CHECK (instr(last_error, char(0)) = 0 AND last_error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_scrape_state_due ON scrape_state (status, next_attempt_at);

-- Full-text search over titles and texts. The index keeps words only; the titles stay in the ledger and
-- the texts in their versions. article_documents gives each article the number by which the index knows
-- it, and names the version that is indexed: the one that the article had when it was last read.
CREATE TABLE article_documents (
    docid INTEGER PRIMARY KEY,
    article_uuid TEXT NOT NULL UNIQUE REFERENCES extracted_article_urls (article_uuid) ON DELETE CASCADE,
    -- NULL: the title is all that is known.
    scrape_id TEXT UNIQUE REFERENCES scraped_articles (scrape_id),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

CREATE VIEW article_texts AS
SELECT
    article_documents.docid,
    extracted_article_urls.article_title AS title,
    scraped_articles.content_text AS content
FROM article_documents
JOIN extracted_article_urls ON extracted_article_urls.article_uuid = article_documents.article_uuid
LEFT JOIN scraped_articles ON scraped_articles.scrape_id = article_documents.scrape_id;

CREATE VIRTUAL TABLE article_search USING fts5(
    title, content, content = 'article_texts', content_rowid = 'docid', tokenize = 'unicode61 remove_diacritics 2'
);

-- The index has to be told exactly what it was told before to forget it. So each change of a title, of
-- the version that counts, or of an article takes the old words out while they can still be read.
CREATE TRIGGER article_search_insert AFTER INSERT ON extracted_article_urls
BEGIN
    INSERT INTO article_documents (article_uuid, created_at, updated_at)
    VALUES (NEW.article_uuid, NEW.created_at, NEW.created_at);
    INSERT INTO article_search (rowid, title, content)
    SELECT docid, NEW.article_title, NULL FROM article_documents WHERE article_uuid = NEW.article_uuid;
END;

CREATE TRIGGER article_search_update AFTER UPDATE OF article_title ON extracted_article_urls
WHEN NEW.article_title IS NOT OLD.article_title
BEGIN
    INSERT INTO article_search (article_search, rowid, title, content)
    SELECT 'delete', d.docid, OLD.article_title, s.content_text
    FROM article_documents AS d LEFT JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id
    WHERE d.article_uuid = NEW.article_uuid;
    INSERT INTO article_search (rowid, title, content)
    SELECT d.docid, NEW.article_title, s.content_text
    FROM article_documents AS d LEFT JOIN scraped_articles AS s ON s.scrape_id = d.scrape_id
    WHERE d.article_uuid = NEW.article_uuid;
END;

-- Its document goes at once, before its versions follow it and ask for other words.
CREATE TRIGGER article_search_delete BEFORE DELETE ON extracted_article_urls
BEGIN
    INSERT INTO article_search (article_search, rowid, title, content)
    SELECT 'delete', docid, title, content FROM article_texts
    WHERE docid = (SELECT docid FROM article_documents WHERE article_uuid = OLD.article_uuid);
    DELETE FROM article_documents WHERE article_uuid = OLD.article_uuid;
END;

CREATE TRIGGER article_search_version AFTER UPDATE OF scrape_id ON article_documents
WHEN NEW.scrape_id IS NOT OLD.scrape_id
BEGIN
    INSERT INTO article_search (article_search, rowid, title, content)
    SELECT 'delete', OLD.docid, a.article_title,
        (SELECT content_text FROM scraped_articles WHERE scrape_id = OLD.scrape_id)
    FROM extracted_article_urls AS a WHERE a.article_uuid = OLD.article_uuid;
    INSERT INTO article_search (rowid, title, content)
    SELECT docid, title, content FROM article_texts WHERE docid = NEW.docid;
END;

-- A version counts if it is the latest of its article.
CREATE TRIGGER scraped_articles_insert AFTER INSERT ON scraped_articles
BEGIN
    UPDATE article_documents SET scrape_id = NEW.scrape_id
    WHERE article_uuid = NEW.article_uuid AND NOT EXISTS (
        SELECT 1 FROM scraped_articles AS s
        WHERE s.scrape_id = article_documents.scrape_id AND s.scraped_at > NEW.scraped_at
    );
END;

-- An article that moves to its final address takes its versions along.
CREATE TRIGGER scraped_articles_move AFTER UPDATE OF article_uuid ON scraped_articles
WHEN NEW.article_uuid IS NOT OLD.article_uuid
BEGIN
    UPDATE article_documents SET scrape_id = (
        SELECT s.scrape_id FROM scraped_articles AS s WHERE s.article_uuid = OLD.article_uuid
        ORDER BY s.scraped_at DESC, s.scrape_id LIMIT 1
    ) WHERE article_uuid = OLD.article_uuid AND scrape_id = NEW.scrape_id;
    UPDATE article_documents SET scrape_id = NEW.scrape_id
    WHERE article_uuid = NEW.article_uuid AND NOT EXISTS (
        SELECT 1 FROM scraped_articles AS s
        WHERE s.scrape_id = article_documents.scrape_id AND s.scraped_at > NEW.scraped_at
    );
END;

CREATE TRIGGER scraped_articles_delete BEFORE DELETE ON scraped_articles
BEGIN
    UPDATE article_documents SET scrape_id = (
        SELECT s.scrape_id FROM scraped_articles AS s
        WHERE s.article_uuid = OLD.article_uuid AND s.scrape_id <> OLD.scrape_id
        ORDER BY s.scraped_at DESC, s.scrape_id LIMIT 1
    ) WHERE article_uuid = OLD.article_uuid AND scrape_id = OLD.scrape_id;
END;

-- What was read was read: another content is another version.
CREATE TRIGGER scraped_articles_content_is_final
BEFORE UPDATE OF scrape_id, content_text, content_sha256 ON scraped_articles
WHEN NEW.scrape_id IS NOT OLD.scrape_id OR NEW.content_text IS NOT OLD.content_text
    OR NEW.content_sha256 IS NOT OLD.content_sha256
BEGIN
    SELECT RAISE(ABORT, 'scrape_id, content_text and content_sha256 never change');
END;

-- One row a run of `digestlog scan`; finished_at NULL: it runs, or was killed.
CREATE TABLE scan_runs (
    run_id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(run_id AS BLOB)) = 36 AND run_id GLOB '????????-????-????-????-????????????'
        AND length(replace(run_id, '-', '')) = 32 AND replace(run_id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    started_at TEXT NOT NULL CHECK (started_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', started_at, '+0 days') AND started_at >= '0001'),
    finished_at TEXT CHECK (finished_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', finished_at, '+0 days') AND finished_at >= '0001'),
    sources INTEGER NOT NULL DEFAULT 0 CHECK (sources >= 0),
    -- How far back it looked; NULL: as far as the sources do.
    window_s INTEGER CHECK (window_s >= 0),
    failed INTEGER NOT NULL DEFAULT 0 CHECK (failed >= 0),
    not_modified INTEGER NOT NULL DEFAULT 0 CHECK (not_modified >= 0),
    entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0),
    new INTEGER NOT NULL DEFAULT 0 CHECK (new >= 0),
    known INTEGER NOT NULL DEFAULT 0 CHECK (known >= 0),
    outside_window INTEGER NOT NULL DEFAULT 0 CHECK (outside_window >= 0),
    undated INTEGER NOT NULL DEFAULT 0 CHECK (undated >= 0),
    requests INTEGER NOT NULL DEFAULT 0 CHECK (requests >= 0),
    duration_ms INTEGER NOT NULL DEFAULT 0 CHECK (duration_ms >= 0),
    outcome TEXT NOT NULL DEFAULT 'running' CHECK (outcome IN ('running', 'ok', 'failed')),
    error TEXT CHECK (instr(error, char(0)) = 0 AND error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_scan_runs_started ON scan_runs (started_at);

-- What one run found at one source.
CREATE TABLE scan_source_results (
    run_id TEXT NOT NULL REFERENCES scan_runs (run_id) ON DELETE CASCADE,
    source_uuid TEXT NOT NULL REFERENCES sources_master_list (source_uuid) ON DELETE CASCADE,
    http_status INTEGER CHECK (http_status BETWEEN 100 AND 599),
    entries INTEGER NOT NULL DEFAULT 0 CHECK (entries >= 0),
    new INTEGER NOT NULL DEFAULT 0 CHECK (new >= 0),
    known INTEGER NOT NULL DEFAULT 0 CHECK (known >= 0),
    outside_window INTEGER NOT NULL DEFAULT 0 CHECK (outside_window >= 0),
    undated INTEGER NOT NULL DEFAULT 0 CHECK (undated >= 0),
    duration_ms INTEGER NOT NULL DEFAULT 0 CHECK (duration_ms >= 0),
    -- How its bytes were read, and where it has moved to.
    lane TEXT CHECK (instr(lane, char(0)) = 0 AND lane <> ''),
    moved_to TEXT CHECK (instr(moved_to, char(0)) = 0 AND moved_to <> ''),
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'not_modified', 'unchanged', 'failed', 'gone')),
    error TEXT CHECK (instr(error, char(0)) = 0 AND error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (run_id, source_uuid)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_scan_source_results_source ON scan_source_results (source_uuid, created_at);


-- == History and digests =======================================================================

CREATE TABLE categories (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (instr(name, char(0)) = 0 AND name <> ''),
    description TEXT CHECK (instr(description, char(0)) = 0 AND description <> ''),
    keywords TEXT NOT NULL DEFAULT '[]' CHECK (instr(keywords, char(0)) = 0 AND json_valid(keywords) AND replace(keywords, '\\', '') NOT GLOB '*\u0000*' AND json_type(keywords) IS 'array'),
    position INTEGER NOT NULL DEFAULT 0 CHECK (position >= 0),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    UNIQUE (user_id, name)
) STRICT;

-- The sources of a user's digests; no row for a user means all active ones.
CREATE TABLE user_sources (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    source_uuid TEXT NOT NULL REFERENCES sources_master_list (source_uuid) ON DELETE CASCADE,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (user_id, source_uuid)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_user_sources_source ON user_sources (source_uuid);

-- What a user was already shown. url_hash is the SHA-256 of the history form of the URL.
CREATE TABLE article_history (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url_hash TEXT NOT NULL CHECK (length(CAST(url_hash AS BLOB)) = 64 AND length(url_hash) = 64 AND url_hash NOT GLOB '*[^0-9a-f]*'),
    url TEXT NOT NULL CHECK (instr(url, char(0)) = 0 AND url <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE UNIQUE INDEX idx_article_history_user_url ON article_history (user_id, url_hash);
CREATE INDEX idx_article_history_age ON article_history (user_id, created_at);

CREATE TABLE syntheses (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    title TEXT CHECK (instr(title, char(0)) = 0 AND title <> ''),
    -- Which classifier, summariser and search made it, and what went wrong with them.
    providers TEXT NOT NULL DEFAULT '{}' CHECK (instr(providers, char(0)) = 0 AND json_valid(providers) AND replace(providers, '\\', '') NOT GLOB '*\u0000*' AND json_type(providers) IS 'object'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_syntheses_user ON syntheses (user_id, created_at);

CREATE TABLE synthesis_items (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    synthesis_id TEXT NOT NULL REFERENCES syntheses (id) ON DELETE CASCADE,
    category TEXT NOT NULL CHECK (instr(category, char(0)) = 0 AND category <> ''),
    position INTEGER NOT NULL CHECK (position >= 0),
    -- NULL: not in the ledger; found by web search, or older than a scan looks back.
    article_uuid TEXT REFERENCES extracted_article_urls (article_uuid),
    url TEXT NOT NULL CHECK (instr(url, char(0)) = 0 AND url <> ''),
    title TEXT CHECK (instr(title, char(0)) = 0 AND title <> ''),
    summary TEXT CHECK (instr(summary, char(0)) = 0 AND summary <> ''),
    source TEXT CHECK (instr(source, char(0)) = 0 AND source <> ''),
    score REAL,
    -- Why it is here, in a person's words.
    why TEXT NOT NULL CHECK (instr(why, char(0)) = 0 AND why <> ''),
    -- The same story elsewhere: a list of {"url", "title", "source"}.
    other_links TEXT NOT NULL DEFAULT '[]' CHECK (instr(other_links, char(0)) = 0 AND json_valid(other_links) AND replace(other_links, '\\', '') NOT GLOB '*\u0000*' AND json_type(other_links) IS 'array'),
    -- As it was known when the digest was made.
    published_utc_iso TEXT CHECK (published_utc_iso IS strftime('%Y-%m-%dT%H:%M:%S+00:00', published_utc_iso, '+0 days') AND published_utc_iso >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    UNIQUE (synthesis_id, category, position)
) STRICT;
CREATE INDEX idx_synthesis_items_article ON synthesis_items (article_uuid);

-- What models answered, so that the same question about the same text is asked only once.
CREATE TABLE provider_answers (
    -- SHA-256 of model, instruction and text.
    question_sha256 TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(question_sha256 AS BLOB)) = 64 AND length(question_sha256) = 64 AND question_sha256 NOT GLOB '*[^0-9a-f]*'),
    model TEXT NOT NULL CHECK (instr(model, char(0)) = 0 AND model <> ''),
    answer TEXT NOT NULL CHECK (instr(answer, char(0)) = 0 AND json_valid(answer) AND replace(answer, '\\', '') NOT GLOB '*\u0000*' AND json_type(answer) IS 'object'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- Every candidate of a digest, taken or left out, with the reason.
CREATE TABLE synthesis_candidates (
    synthesis_id TEXT NOT NULL REFERENCES syntheses (id) ON DELETE CASCADE,
    url TEXT NOT NULL CHECK (instr(url, char(0)) = 0 AND url <> ''),
    article_uuid TEXT REFERENCES extracted_article_urls (article_uuid),
    outcome TEXT NOT NULL CHECK (outcome IN
        ('taken', 'history', 'diversity', 'duplicate', 'empty', 'over_quota', 'policy', 'unclassified', 'homepage',
            'failed', 'outside_window', 'over_budget', 'no_identity')),
    detail TEXT CHECK (instr(detail, char(0)) = 0 AND detail <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (synthesis_id, url)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_synthesis_candidates_article ON synthesis_candidates (article_uuid);


-- == Library ===================================================================================

CREATE TABLE brand_library_brands (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    name TEXT NOT NULL CHECK (instr(name, char(0)) = 0 AND name <> ''),
    domain TEXT NOT NULL CHECK (instr(domain, char(0)) = 0 AND domain <> '') UNIQUE,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

CREATE VIEW brands AS SELECT id, name, domain, created_at, updated_at FROM brand_library_brands;

-- Which brand a domain belongs to: its own, until brands are merged.
CREATE TABLE brand_domains (
    domain TEXT NOT NULL CHECK (instr(domain, char(0)) = 0 AND domain <> '') PRIMARY KEY,
    brand_id TEXT NOT NULL REFERENCES brand_library_brands (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_brand_domains_brand ON brand_domains (brand_id);

-- A watched page, once for everybody. id = uuid5(NAMESPACE_URL, canonical_url).
CREATE TABLE urls (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    canonical_url TEXT NOT NULL CHECK (instr(canonical_url, char(0)) = 0 AND canonical_url <> '') UNIQUE,
    -- As it was first submitted: the one that is fetched.
    url TEXT NOT NULL CHECK (instr(url, char(0)) = 0 AND url <> ''),
    brand_id TEXT REFERENCES brand_library_brands (id),
    allow_private INTEGER NOT NULL DEFAULT 0 CHECK (allow_private IN (0, 1)),
    check_frequency TEXT NOT NULL DEFAULT 'daily'
        CHECK (check_frequency IN ('hourly', 'daily', 'weekly', 'monthly')),
    -- How often it may be checked at most and at least; NULL: as check_frequency says.
    min_interval_s INTEGER CHECK (min_interval_s >= 60),
    max_interval_s INTEGER CHECK (max_interval_s >= 60),
    -- NULL: due at once.
    next_check_at TEXT CHECK (next_check_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', next_check_at, '+0 days') AND next_check_at >= '0001'),
    last_checked_at TEXT CHECK (last_checked_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', last_checked_at, '+0 days') AND last_checked_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_urls_next_check ON urls (next_check_at);
CREATE INDEX idx_urls_brand ON urls (brand_id);

-- Every attempt to add a page, whatever became of it.
CREATE TABLE url_submissions (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    submitted_url TEXT NOT NULL CHECK (instr(submitted_url, char(0)) = 0 AND submitted_url <> ''),
    -- NULL: the text has no URL identity.
    canonical_url TEXT CHECK (instr(canonical_url, char(0)) = 0 AND canonical_url <> ''),
    status TEXT NOT NULL DEFAULT 'pending' CHECK (status IN
        ('pending', 'blocked', 'needs_review', 'approved_linked_existing', 'approved_created_global')),
    matched_url_id TEXT REFERENCES urls (id),
    -- How the page should be watched, if it may be: kept here because a submission may have to wait.
    options TEXT NOT NULL DEFAULT '{}' CHECK (instr(options, char(0)) = 0 AND json_valid(options) AND replace(options, '\\', '') NOT GLOB '*\u0000*' AND json_type(options) IS 'object'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK ((matched_url_id IS NOT NULL) = (status IN ('approved_linked_existing', 'approved_created_global')))
) STRICT;
CREATE INDEX idx_url_submissions_user ON url_submissions (user_id, created_at);
CREATE INDEX idx_url_submissions_status ON url_submissions (status, created_at);
CREATE INDEX idx_url_submissions_matched ON url_submissions (matched_url_id);

CREATE TABLE url_policy_decisions (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    submission_id TEXT NOT NULL REFERENCES url_submissions (id) ON DELETE CASCADE,
    decision TEXT NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code TEXT CHECK (reason_code IN
        ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality',
         'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    evidence TEXT NOT NULL CHECK (instr(evidence, char(0)) = 0 AND json_valid(evidence) AND replace(evidence, '\\', '') NOT GLOB '*\u0000*'
        AND json_type(evidence, '$.hostname') IS NOT NULL
        AND json_type(evidence, '$.pattern') IS NOT NULL
        AND json_type(evidence, '$.reason') IS NOT NULL),
    -- NULL: the rules decided; otherwise the admin who did.
    decided_by TEXT REFERENCES users (id) ON DELETE SET NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (decision IS 'allow' OR reason_code IS NOT NULL)
) STRICT;
CREATE INDEX idx_url_policy_decisions_submission ON url_policy_decisions (submission_id);
CREATE INDEX idx_url_policy_decisions_decided_by ON url_policy_decisions (decided_by);

-- What may be watched: rules that a person wrote. The packaged ones are data of the program.
CREATE TABLE policy_rules (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    -- host: exactly this one; domain: it and all below it; tld: the last label; path, url, query: a pattern.
    kind TEXT NOT NULL CHECK (kind IN ('host', 'domain', 'tld', 'path', 'url', 'query')),
    pattern TEXT NOT NULL CHECK (instr(pattern, char(0)) = 0 AND pattern <> ''),
    decision TEXT NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code TEXT CHECK (reason_code IN
        ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality',
         'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    words TEXT CHECK (instr(words, char(0)) = 0 AND words <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    UNIQUE (kind, pattern),
    CHECK (decision IS 'allow' OR reason_code IS NOT NULL)
) STRICT;

-- Lists of domains that were imported, each with what it means to be on it.
CREATE TABLE policy_lists (
    name TEXT NOT NULL CHECK (instr(name, char(0)) = 0 AND name <> '') PRIMARY KEY,
    decision TEXT NOT NULL CHECK (decision IN ('allow', 'block', 'review')),
    reason_code TEXT CHECK (reason_code IN
        ('adult_content', 'hate_or_extremism', 'malware_or_phishing', 'spam_or_low_quality',
         'illegal_or_regulated', 'auth_wall_or_uncheckable', 'duplicate', 'unknown')),
    words TEXT CHECK (instr(words, char(0)) = 0 AND words <> ''),
    domains INTEGER NOT NULL DEFAULT 0 CHECK (domains >= 0),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (decision IS 'allow' OR reason_code IS NOT NULL)
) STRICT;

CREATE TABLE policy_domains (
    list_name TEXT NOT NULL REFERENCES policy_lists (name) ON DELETE CASCADE,
    -- In punycode. With ! before it: an exception, which takes it off this list again.
    domain TEXT NOT NULL CHECK (instr(domain, char(0)) = 0 AND domain <> ''),
    -- Does it stand for all names below it too?
    subdomains INTEGER NOT NULL CHECK (subdomains IN (0, 1)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (list_name, domain)
) STRICT, WITHOUT ROWID;

-- Who watches what. Membership means an active row.
CREATE TABLE user_url_library (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url_id TEXT NOT NULL REFERENCES urls (id),
    is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    -- NULL: the whole history; otherwise nothing from before this time is shown.
    history_start_at TEXT CHECK (history_start_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', history_start_at, '+0 days') AND history_start_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    UNIQUE (user_id, url_id)
) STRICT;
CREATE INDEX idx_user_url_library_url ON user_url_library (url_id, user_id);

-- The plan's limit, where nothing can get past it: SQLite has one writer at a time.
-- A page that the user watches already takes no further place.
CREATE TRIGGER check_library_url_cap BEFORE INSERT ON user_url_library
WHEN NEW.is_active = 1 AND NOT EXISTS (
    SELECT 1 FROM user_url_library AS mine
    WHERE mine.user_id = NEW.user_id AND mine.url_id = NEW.url_id AND mine.is_active = 1
)
BEGIN
    SELECT RAISE(ABORT, 'url cap reached')
    FROM user_plans
    -- No count where there is no limit.
    WHERE user_plans.user_id = NEW.user_id AND user_plans.max_tracked_urls IS NOT NULL
        AND user_plans.max_tracked_urls <= (
        SELECT count(*) FROM user_url_library AS mine
        WHERE mine.user_id = NEW.user_id AND mine.is_active = 1
    );
END;

CREATE TRIGGER check_library_url_cap_on_update BEFORE UPDATE ON user_url_library
WHEN NEW.is_active = 1 AND (OLD.is_active = 0 OR NEW.user_id IS NOT OLD.user_id)
BEGIN
    SELECT RAISE(ABORT, 'url cap reached')
    FROM user_plans
    -- No count where there is no limit.
    WHERE user_plans.user_id = NEW.user_id AND user_plans.max_tracked_urls IS NOT NULL
        AND user_plans.max_tracked_urls <= (
        SELECT count(*) FROM user_url_library AS mine
        WHERE mine.user_id = NEW.user_id AND mine.is_active = 1 AND mine.id IS NOT OLD.id
    );
END;

-- From when a user may look back: always from the plan at the time of adding, never from the writer.
-- An upgrade later changes nothing here; an admin may.
CREATE TRIGGER set_library_history_gating AFTER INSERT ON user_url_library
BEGIN
    UPDATE user_url_library SET history_start_at = CASE
        WHEN (SELECT full_history FROM user_plans WHERE user_plans.user_id = NEW.user_id) = 1 THEN NULL
        ELSE (SELECT now_utc_iso FROM moment)
    END
    WHERE id = NEW.id;
END;

-- Adding a removed page again is adding it; so is turning a row into another user's or another page's.
CREATE TRIGGER set_library_history_gating_on_return AFTER UPDATE OF is_active, user_id, url_id ON user_url_library
WHEN OLD.is_active = 0 AND NEW.is_active = 1
    OR NEW.user_id IS NOT OLD.user_id OR NEW.url_id IS NOT OLD.url_id
BEGIN
    UPDATE user_url_library SET history_start_at = CASE
        WHEN (SELECT full_history FROM user_plans WHERE user_plans.user_id = NEW.user_id) = 1 THEN NULL
        ELSE (SELECT now_utc_iso FROM moment)
    END
    WHERE id = NEW.id;
END;

-- Every look at a page. A look that failed is no change.
CREATE TABLE url_observations (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    url_id TEXT NOT NULL REFERENCES urls (id) ON DELETE CASCADE,
    checked_at TEXT NOT NULL CHECK (checked_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', checked_at, '+0 days') AND checked_at >= '0001'),
    checked_day TEXT NOT NULL CHECK (checked_day IS strftime('%Y-%m-%d', checked_day, '+0 days') AND checked_day >= '0001'),
    http_status INTEGER CHECK (http_status BETWEEN 100 AND 599),
    content_sha256 TEXT CHECK (length(CAST(content_sha256 AS BLOB)) = 64 AND length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'),
    outcome TEXT NOT NULL CHECK (outcome IN ('ok', 'not_modified', 'empty', 'challenge', 'failed')),
    error TEXT CHECK (instr(error, char(0)) = 0 AND error <> ''),
    -- The size of the page, and the version of what read it; NULL: nothing was read.
    body_bytes INTEGER CHECK (body_bytes >= 0),
    extractor INTEGER CHECK (extractor >= 1),
    -- 'v1': mirrored from the older tracker, which keeps one look a day.
    origin TEXT NOT NULL DEFAULT 'check' CHECK (origin IN ('check', 'v1')),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    CHECK (checked_day IS substr(checked_at, 1, 10))
) STRICT;
CREATE INDEX idx_url_observations_url ON url_observations (url_id, checked_at);
CREATE UNIQUE INDEX idx_url_observations_v1_day ON url_observations (url_id, checked_day) WHERE origin = 'v1';

-- What pages say, each content once however often it was seen: JSON, compressed with zlib.
CREATE TABLE url_contents (
    content_sha256 TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(content_sha256 AS BLOB)) = 64 AND length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'),
    content BLOB NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- What the next look at a page needs to know of the last ones.
CREATE TABLE url_check_state (
    url_id TEXT PRIMARY KEY NOT NULL REFERENCES urls (id) ON DELETE CASCADE,
    etag TEXT CHECK (instr(etag, char(0)) = 0 AND etag <> ''),
    last_modified TEXT CHECK (instr(last_modified, char(0)) = 0 AND last_modified <> ''),
    body_sha256 TEXT CHECK (length(CAST(body_sha256 AS BLOB)) = 64 AND length(body_sha256) = 64 AND body_sha256 NOT GLOB '*[^0-9a-f]*'),
    -- The page as it was last read, compressed with zlib, so that a newer extractor can read both sides
    -- anew; NULL: too large to keep.
    body BLOB,
    body_url TEXT CHECK (instr(body_url, char(0)) = 0 AND body_url <> ''),
    body_charset TEXT CHECK (instr(body_charset, char(0)) = 0 AND body_charset <> ''),
    extractor INTEGER CHECK (extractor >= 1),
    content_sha256 TEXT REFERENCES url_contents (content_sha256),
    -- The last look that read a text.
    observation_id TEXT REFERENCES url_observations (id) ON DELETE SET NULL,
    -- What was learned about the page: where it changes all the time, and for how long its lines have stood.
    memory TEXT NOT NULL DEFAULT '{}' CHECK (instr(memory, char(0)) = 0 AND json_valid(memory) AND replace(memory, '\\', '') NOT GLOB '*\u0000*' AND json_type(memory) IS 'object'),
    -- The pause that the page's own pace has led to.
    interval_s INTEGER CHECK (interval_s >= 60),
    consecutive_failures INTEGER NOT NULL DEFAULT 0 CHECK (consecutive_failures >= 0),
    last_error TEXT CHECK (instr(last_error, char(0)) = 0 AND last_error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_check_state_content ON url_check_state (content_sha256);
CREATE INDEX idx_url_check_state_observation ON url_check_state (observation_id);

-- What changed between two looks.
CREATE TABLE url_change_events (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    url_id TEXT NOT NULL REFERENCES urls (id) ON DELETE CASCADE,
    observation_id TEXT REFERENCES url_observations (id) ON DELETE CASCADE,
    detected_at TEXT NOT NULL CHECK (detected_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', detected_at, '+0 days') AND detected_at >= '0001'),
    kind TEXT NOT NULL CHECK (kind IN ('title', 'price', 'availability', 'text_added', 'text_removed',
        'text_changed', 'table', 'link', 'status')),
    -- volatile: in a place that changes all the time; provisional: too early to know.
    state TEXT NOT NULL DEFAULT 'real' CHECK (state IN ('real', 'provisional', 'volatile')),
    -- How much of the page: from 0, nothing, to 1, everything.
    magnitude REAL NOT NULL DEFAULT 0 CHECK (magnitude BETWEEN 0 AND 1),
    "before" TEXT CHECK (instr("before", char(0)) = 0),
    "after" TEXT CHECK (instr("after", char(0)) = 0),
    -- Words kept, taken out and put in: a list of [op, text].
    diff TEXT NOT NULL DEFAULT '[]' CHECK (instr(diff, char(0)) = 0 AND json_valid(diff) AND replace(diff, '\\', '') NOT GLOB '*\u0000*' AND json_type(diff) IS 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_change_events_url ON url_change_events (url_id, detected_at);
CREATE INDEX idx_url_change_events_detected ON url_change_events (detected_at);
CREATE INDEX idx_url_change_events_observation ON url_change_events (observation_id);

CREATE TABLE url_change_summaries (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    event_id TEXT NOT NULL REFERENCES url_change_events (id) ON DELETE CASCADE,
    summary TEXT NOT NULL CHECK (instr(summary, char(0)) = 0 AND summary <> ''),
    -- Who wrote it: 'extractive', 'v1', or the name of a model.
    method TEXT NOT NULL CHECK (instr(method, char(0)) = 0 AND method <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_change_summaries_event ON url_change_summaries (event_id);

-- Which changes a user was told of by a notification: each at most once.
CREATE TABLE told_events (
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    event_id TEXT NOT NULL REFERENCES url_change_events (id) ON DELETE CASCADE,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (user_id, event_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX idx_told_events_event ON told_events (event_id);

CREATE TABLE url_render_artifacts (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    url_id TEXT NOT NULL REFERENCES urls (id) ON DELETE CASCADE,
    observation_id TEXT REFERENCES url_observations (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('text', 'diff_html', 'screenshot', 'v1')),
    content BLOB NOT NULL,
    -- Of the content; NULL: not worked out, as for those of the older tracker.
    content_sha256 TEXT CHECK (length(CAST(content_sha256 AS BLOB)) = 64 AND length(content_sha256) = 64 AND content_sha256 NOT GLOB '*[^0-9a-f]*'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_render_artifacts_url ON url_render_artifacts (url_id, created_at);
CREATE INDEX idx_url_render_artifacts_observation ON url_render_artifacts (observation_id);

CREATE TABLE trend_definitions (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    name TEXT NOT NULL CHECK (instr(name, char(0)) = 0 AND name <> '') UNIQUE,
    metric TEXT NOT NULL CHECK (metric IN ('changes', 'discoveries')),
    scope TEXT NOT NULL CHECK (scope IN ('all', 'brand', 'category', 'source', 'reason')),
    is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- series: the brand, category, source or reason that the value is of; 'all' where there is one.
CREATE TABLE trend_points (
    trend_id TEXT NOT NULL REFERENCES trend_definitions (id) ON DELETE CASCADE,
    day TEXT NOT NULL CHECK (day IS strftime('%Y-%m-%d', day, '+0 days') AND day >= '0001'),
    series TEXT NOT NULL CHECK (instr(series, char(0)) = 0 AND series <> '') DEFAULT 'all',
    value REAL NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    PRIMARY KEY (trend_id, series, day)
) STRICT, WITHOUT ROWID;


-- == What each user may see ====================================================================
-- Every surface reads through these and filters on user_id: membership is an active row, and
-- nothing from before history_start_at is shown, be it an event, a look, a summary or a rendering.

CREATE VIEW visible_urls AS
SELECT user_url_library.user_id, user_url_library.history_start_at, urls.*
FROM user_url_library
JOIN urls ON urls.id = user_url_library.url_id
WHERE user_url_library.is_active = 1;

CREATE VIEW visible_observations AS
SELECT user_url_library.user_id, url_observations.*
FROM user_url_library
JOIN url_observations ON url_observations.url_id = user_url_library.url_id
WHERE user_url_library.is_active = 1
    AND (user_url_library.history_start_at IS NULL
        OR url_observations.checked_at >= user_url_library.history_start_at);

CREATE VIEW visible_change_events AS
SELECT user_url_library.user_id, url_change_events.*
FROM user_url_library
JOIN url_change_events ON url_change_events.url_id = user_url_library.url_id
WHERE user_url_library.is_active = 1
    AND (user_url_library.history_start_at IS NULL
        OR url_change_events.detected_at >= user_url_library.history_start_at);

CREATE VIEW visible_change_summaries AS
SELECT visible_change_events.user_id, visible_change_events.url_id, url_change_summaries.*
FROM visible_change_events
JOIN url_change_summaries ON url_change_summaries.event_id = visible_change_events.id;

-- A rendering without a look counts from when it was stored.
CREATE VIEW visible_render_artifacts AS
SELECT user_url_library.user_id, url_render_artifacts.*
FROM user_url_library
JOIN url_render_artifacts ON url_render_artifacts.url_id = user_url_library.url_id
LEFT JOIN url_observations ON url_observations.id = url_render_artifacts.observation_id
WHERE user_url_library.is_active = 1
    AND (user_url_library.history_start_at IS NULL
        OR coalesce(url_observations.checked_at, url_render_artifacts.created_at)
            >= user_url_library.history_start_at);


-- == V1 ========================================================================================
-- The older tracker's tables, kept as a place to write for workers that have not moved yet. What
-- is inserted here appears in the library at once, under the same id, as soon as the page is known
-- there; what came before is brought over by the backfill.

CREATE TABLE tracked_urls (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    url TEXT NOT NULL CHECK (instr(url, char(0)) = 0 AND url <> ''),
    -- The library form; NULL until the backfill has worked it out.
    canonical_url TEXT CHECK (instr(canonical_url, char(0)) = 0 AND canonical_url <> ''),
    is_active INTEGER NOT NULL DEFAULT 1 CHECK (is_active IN (0, 1)),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_tracked_urls_canonical ON tracked_urls (canonical_url);
CREATE INDEX idx_tracked_urls_user ON tracked_urls (user_id);

CREATE TABLE url_checks (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    tracked_url_id TEXT NOT NULL REFERENCES tracked_urls (id) ON DELETE CASCADE,
    checked_at TEXT NOT NULL CHECK (checked_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', checked_at, '+0 days') AND checked_at >= '0001'),
    status_code INTEGER CHECK (status_code BETWEEN 100 AND 599),
    content_hash TEXT CHECK (length(CAST(content_hash AS BLOB)) = 64 AND length(content_hash) = 64 AND content_hash NOT GLOB '*[^0-9a-f]*'),
    error TEXT CHECK (instr(error, char(0)) = 0 AND error <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_checks_tracked ON url_checks (tracked_url_id, checked_at);

CREATE TABLE url_changes (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    tracked_url_id TEXT NOT NULL REFERENCES tracked_urls (id) ON DELETE CASCADE,
    check_id TEXT REFERENCES url_checks (id) ON DELETE CASCADE,
    detected_at TEXT NOT NULL CHECK (detected_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', detected_at, '+0 days') AND detected_at >= '0001'),
    "before" TEXT CHECK (instr("before", char(0)) = 0),
    "after" TEXT CHECK (instr("after", char(0)) = 0),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_changes_tracked ON url_changes (tracked_url_id, detected_at);
CREATE INDEX idx_url_changes_check ON url_changes (check_id);

CREATE TABLE summaries (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    change_id TEXT NOT NULL REFERENCES url_changes (id) ON DELETE CASCADE,
    summary TEXT NOT NULL CHECK (instr(summary, char(0)) = 0 AND summary <> ''),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_summaries_change ON summaries (change_id);

CREATE TABLE url_renders (
    id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(id AS BLOB)) = 36 AND id GLOB '????????-????-????-????-????????????'
        AND length(replace(id, '-', '')) = 32 AND replace(id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    tracked_url_id TEXT NOT NULL REFERENCES tracked_urls (id) ON DELETE CASCADE,
    check_id TEXT REFERENCES url_checks (id) ON DELETE CASCADE,
    content BLOB NOT NULL,
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;
CREATE INDEX idx_url_renders_tracked ON url_renders (tracked_url_id);
CREATE INDEX idx_url_renders_check ON url_renders (check_id);

-- The older tracker's looks as the library's rows: the day's observation of a check is the first one
-- that came over for that page and day.
CREATE VIEW v1_check_observations AS
SELECT url_checks.id AS check_id, url_observations.id AS observation_id
FROM url_checks
JOIN tracked_urls ON tracked_urls.id = url_checks.tracked_url_id
JOIN urls ON urls.canonical_url = tracked_urls.canonical_url
JOIN url_observations ON url_observations.url_id = urls.id
    AND url_observations.checked_day = substr(url_checks.checked_at, 1, 10)
    AND url_observations.origin = 'v1';

CREATE TRIGGER sync_check_to_observation AFTER INSERT ON url_checks
BEGIN
    INSERT INTO url_observations
        (id, url_id, checked_at, checked_day, http_status, content_sha256, outcome, error, origin, created_at)
    SELECT NEW.id, urls.id, NEW.checked_at, substr(NEW.checked_at, 1, 10), NEW.status_code, NEW.content_hash,
        CASE WHEN NEW.error IS NULL AND coalesce(NEW.status_code, 200) < 400 THEN 'ok' ELSE 'failed' END,
        NEW.error, 'v1', NEW.created_at
    FROM tracked_urls
    JOIN urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER sync_change_to_event AFTER INSERT ON url_changes
BEGIN
    INSERT INTO url_change_events
        (id, url_id, observation_id, detected_at, kind, state, "before", "after", created_at, updated_at)
    SELECT NEW.id, urls.id,
        (SELECT observation_id FROM v1_check_observations WHERE check_id = NEW.check_id),
        NEW.detected_at, 'text_changed', 'real', NEW."before", NEW."after", NEW.created_at, NEW.created_at
    FROM tracked_urls
    JOIN urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER sync_summary_to_vnext AFTER INSERT ON summaries
BEGIN
    INSERT INTO url_change_summaries (id, event_id, summary, method, created_at)
    SELECT NEW.id, url_change_events.id, NEW.summary, 'v1', NEW.created_at
    FROM url_change_events
    WHERE url_change_events.id = NEW.change_id
    ON CONFLICT DO NOTHING;
END;

CREATE TRIGGER sync_render_to_artifact AFTER INSERT ON url_renders
BEGIN
    INSERT INTO url_render_artifacts (id, url_id, observation_id, kind, content, created_at)
    SELECT NEW.id, urls.id,
        (SELECT observation_id FROM v1_check_observations WHERE check_id = NEW.check_id),
        'v1', NEW.content, NEW.created_at
    FROM tracked_urls
    JOIN urls ON urls.canonical_url = tracked_urls.canonical_url
    WHERE tracked_urls.id = NEW.tracked_url_id
    ON CONFLICT DO NOTHING;
END;


-- == The log of changes ========================================================================
-- Which rows a Postgres database that this file is pushed to does not have yet (docs/push.md). The log is
-- kept only while there is such a database. It names rows, not values: what a row is now is in its table,
-- and a row that is not there any more was deleted.

-- The databases to which this file was pushed. Until which change each has it is stored there, in the same
-- transaction as the rows; pushed_seq is the same number as far as it is known here, and what all of them
-- have is taken out of the log.
CREATE TABLE push_targets (
    -- The database, and this file as that database knows it.
    target_id TEXT PRIMARY KEY NOT NULL CHECK (length(CAST(target_id AS BLOB)) = 36 AND target_id GLOB '????????-????-????-????-????????????'
        AND length(replace(target_id, '-', '')) = 32 AND replace(target_id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    file_id TEXT NOT NULL CHECK (length(CAST(file_id AS BLOB)) = 36 AND file_id GLOB '????????-????-????-????-????????????'
        AND length(replace(file_id, '-', '')) = 32 AND replace(file_id, '-', '') NOT GLOB '*[^0-9a-f]*'),
    place TEXT NOT NULL CHECK (instr(place, char(0)) = 0 AND place <> ''),
    -- The last push that is known to have ended, and the one that began after it: the database must name
    -- one of them, or a copy of this file was pushed, or this file is an older copy of itself.
    token TEXT CHECK (length(CAST(token AS BLOB)) = 36 AND token GLOB '????????-????-????-????-????????????'
        AND length(replace(token, '-', '')) = 32 AND replace(token, '-', '') NOT GLOB '*[^0-9a-f]*'),
    next_token TEXT CHECK (length(CAST(next_token AS BLOB)) = 36 AND next_token GLOB '????????-????-????-????-????????????'
        AND length(replace(next_token, '-', '')) = 32 AND replace(next_token, '-', '') NOT GLOB '*[^0-9a-f]*'),
    pushed_seq INTEGER NOT NULL DEFAULT 0 CHECK (pushed_seq >= 0),
    pushed_at TEXT CHECK (pushed_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', pushed_at, '+0 days') AND pushed_at >= '0001'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')),
    updated_at TEXT NOT NULL CHECK (updated_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', updated_at, '+0 days') AND updated_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- The last change stays, however often it was pushed: its number must not be given again.
CREATE TABLE change_log (
    seq INTEGER PRIMARY KEY,
    table_name TEXT NOT NULL CHECK (instr(table_name, char(0)) = 0 AND table_name <> ''),
    -- The values of the primary key.
    row_key TEXT NOT NULL CHECK (instr(row_key, char(0)) = 0 AND json_valid(row_key) AND replace(row_key, '\\', '') NOT GLOB '*\u0000*' AND json_type(row_key) IS 'array'),
    created_at TEXT NOT NULL CHECK (created_at IS strftime('%Y-%m-%dT%H:%M:%S+00:00', created_at, '+0 days') AND created_at >= '0001') DEFAULT (strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now'))
) STRICT;

-- Three triggers for each table that is pushed, all alike.
CREATE TRIGGER logged_url_identity_insert AFTER INSERT ON url_identity WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_identity', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_identity_update AFTER UPDATE ON url_identity WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_identity', json_array(NEW.id) UNION ALL SELECT 'url_identity', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_identity_delete AFTER DELETE ON url_identity WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_identity', json_array(OLD.id)); END;
CREATE TRIGGER logged_users_insert AFTER INSERT ON users WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('users', json_array(NEW.id)); END;
CREATE TRIGGER logged_users_update AFTER UPDATE ON users WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'users', json_array(NEW.id) UNION ALL SELECT 'users', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_users_delete AFTER DELETE ON users WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('users', json_array(OLD.id)); END;
CREATE TRIGGER logged_plan_definitions_insert AFTER INSERT ON plan_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('plan_definitions', json_array(NEW.plan)); END;
CREATE TRIGGER logged_plan_definitions_update AFTER UPDATE ON plan_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'plan_definitions', json_array(NEW.plan) UNION ALL SELECT 'plan_definitions', json_array(OLD.plan) WHERE OLD.plan IS NOT NEW.plan; END;
CREATE TRIGGER logged_plan_definitions_delete AFTER DELETE ON plan_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('plan_definitions', json_array(OLD.plan)); END;
CREATE TRIGGER logged_subscriptions_insert AFTER INSERT ON subscriptions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('subscriptions', json_array(NEW.user_id)); END;
CREATE TRIGGER logged_subscriptions_update AFTER UPDATE ON subscriptions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'subscriptions', json_array(NEW.user_id) UNION ALL SELECT 'subscriptions', json_array(OLD.user_id) WHERE OLD.user_id IS NOT NEW.user_id; END;
CREATE TRIGGER logged_subscriptions_delete AFTER DELETE ON subscriptions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('subscriptions', json_array(OLD.user_id)); END;
CREATE TRIGGER logged_onboarding_state_insert AFTER INSERT ON onboarding_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('onboarding_state', json_array(NEW.user_id)); END;
CREATE TRIGGER logged_onboarding_state_update AFTER UPDATE ON onboarding_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'onboarding_state', json_array(NEW.user_id) UNION ALL SELECT 'onboarding_state', json_array(OLD.user_id) WHERE OLD.user_id IS NOT NEW.user_id; END;
CREATE TRIGGER logged_onboarding_state_delete AFTER DELETE ON onboarding_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('onboarding_state', json_array(OLD.user_id)); END;
CREATE TRIGGER logged_settings_insert AFTER INSERT ON settings WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('settings', json_array(NEW.user_id)); END;
CREATE TRIGGER logged_settings_update AFTER UPDATE ON settings WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'settings', json_array(NEW.user_id) UNION ALL SELECT 'settings', json_array(OLD.user_id) WHERE OLD.user_id IS NOT NEW.user_id; END;
CREATE TRIGGER logged_settings_delete AFTER DELETE ON settings WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('settings', json_array(OLD.user_id)); END;
CREATE TRIGGER logged_source_numbers_insert AFTER INSERT ON source_numbers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_numbers', json_array(NEW.url_scraping_method)); END;
CREATE TRIGGER logged_source_numbers_update AFTER UPDATE ON source_numbers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'source_numbers', json_array(NEW.url_scraping_method) UNION ALL SELECT 'source_numbers', json_array(OLD.url_scraping_method) WHERE OLD.url_scraping_method IS NOT NEW.url_scraping_method; END;
CREATE TRIGGER logged_source_numbers_delete AFTER DELETE ON source_numbers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_numbers', json_array(OLD.url_scraping_method)); END;
CREATE TRIGGER logged_sources_master_list_insert AFTER INSERT ON sources_master_list WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('sources_master_list', json_array(NEW.source_uuid)); END;
CREATE TRIGGER logged_sources_master_list_update AFTER UPDATE ON sources_master_list WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'sources_master_list', json_array(NEW.source_uuid) UNION ALL SELECT 'sources_master_list', json_array(OLD.source_uuid) WHERE OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_sources_master_list_delete AFTER DELETE ON sources_master_list WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('sources_master_list', json_array(OLD.source_uuid)); END;
CREATE TRIGGER logged_source_fetch_state_insert AFTER INSERT ON source_fetch_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_fetch_state', json_array(NEW.source_uuid)); END;
CREATE TRIGGER logged_source_fetch_state_update AFTER UPDATE ON source_fetch_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'source_fetch_state', json_array(NEW.source_uuid) UNION ALL SELECT 'source_fetch_state', json_array(OLD.source_uuid) WHERE OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_source_fetch_state_delete AFTER DELETE ON source_fetch_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_fetch_state', json_array(OLD.source_uuid)); END;
CREATE TRIGGER logged_extracted_article_urls_insert AFTER INSERT ON extracted_article_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('extracted_article_urls', json_array(NEW.article_uuid)); END;
CREATE TRIGGER logged_extracted_article_urls_update AFTER UPDATE ON extracted_article_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'extracted_article_urls', json_array(NEW.article_uuid) UNION ALL SELECT 'extracted_article_urls', json_array(OLD.article_uuid) WHERE OLD.article_uuid IS NOT NEW.article_uuid; END;
CREATE TRIGGER logged_extracted_article_urls_delete AFTER DELETE ON extracted_article_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('extracted_article_urls', json_array(OLD.article_uuid)); END;
CREATE TRIGGER logged_article_completions_insert AFTER INSERT ON article_completions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_completions', json_array(NEW.article_uuid, NEW.field)); END;
CREATE TRIGGER logged_article_completions_update AFTER UPDATE ON article_completions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'article_completions', json_array(NEW.article_uuid, NEW.field) UNION ALL SELECT 'article_completions', json_array(OLD.article_uuid, OLD.field) WHERE OLD.article_uuid IS NOT NEW.article_uuid OR OLD.field IS NOT NEW.field; END;
CREATE TRIGGER logged_article_completions_delete AFTER DELETE ON article_completions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_completions', json_array(OLD.article_uuid, OLD.field)); END;
CREATE TRIGGER logged_article_source_mentions_insert AFTER INSERT ON article_source_mentions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_source_mentions', json_array(NEW.article_uuid, NEW.source_uuid)); END;
CREATE TRIGGER logged_article_source_mentions_update AFTER UPDATE ON article_source_mentions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'article_source_mentions', json_array(NEW.article_uuid, NEW.source_uuid) UNION ALL SELECT 'article_source_mentions', json_array(OLD.article_uuid, OLD.source_uuid) WHERE OLD.article_uuid IS NOT NEW.article_uuid OR OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_article_source_mentions_delete AFTER DELETE ON article_source_mentions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_source_mentions', json_array(OLD.article_uuid, OLD.source_uuid)); END;
CREATE TRIGGER logged_url_resolutions_insert AFTER INSERT ON url_resolutions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_resolutions', json_array(NEW.article_url_original)); END;
CREATE TRIGGER logged_url_resolutions_update AFTER UPDATE ON url_resolutions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_resolutions', json_array(NEW.article_url_original) UNION ALL SELECT 'url_resolutions', json_array(OLD.article_url_original) WHERE OLD.article_url_original IS NOT NEW.article_url_original; END;
CREATE TRIGGER logged_url_resolutions_delete AFTER DELETE ON url_resolutions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_resolutions', json_array(OLD.article_url_original)); END;
CREATE TRIGGER logged_source_left_out_insert AFTER INSERT ON source_left_out WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_left_out', json_array(NEW.source_uuid)); END;
CREATE TRIGGER logged_source_left_out_update AFTER UPDATE ON source_left_out WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'source_left_out', json_array(NEW.source_uuid) UNION ALL SELECT 'source_left_out', json_array(OLD.source_uuid) WHERE OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_source_left_out_delete AFTER DELETE ON source_left_out WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('source_left_out', json_array(OLD.source_uuid)); END;
CREATE TRIGGER logged_scraped_articles_insert AFTER INSERT ON scraped_articles WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scraped_articles', json_array(NEW.scrape_id)); END;
CREATE TRIGGER logged_scraped_articles_update AFTER UPDATE ON scraped_articles WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'scraped_articles', json_array(NEW.scrape_id) UNION ALL SELECT 'scraped_articles', json_array(OLD.scrape_id) WHERE OLD.scrape_id IS NOT NEW.scrape_id; END;
CREATE TRIGGER logged_scraped_articles_delete AFTER DELETE ON scraped_articles WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scraped_articles', json_array(OLD.scrape_id)); END;
CREATE TRIGGER logged_scrape_state_insert AFTER INSERT ON scrape_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scrape_state', json_array(NEW.article_uuid)); END;
CREATE TRIGGER logged_scrape_state_update AFTER UPDATE ON scrape_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'scrape_state', json_array(NEW.article_uuid) UNION ALL SELECT 'scrape_state', json_array(OLD.article_uuid) WHERE OLD.article_uuid IS NOT NEW.article_uuid; END;
CREATE TRIGGER logged_scrape_state_delete AFTER DELETE ON scrape_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scrape_state', json_array(OLD.article_uuid)); END;
CREATE TRIGGER logged_scan_runs_insert AFTER INSERT ON scan_runs WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scan_runs', json_array(NEW.run_id)); END;
CREATE TRIGGER logged_scan_runs_update AFTER UPDATE ON scan_runs WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'scan_runs', json_array(NEW.run_id) UNION ALL SELECT 'scan_runs', json_array(OLD.run_id) WHERE OLD.run_id IS NOT NEW.run_id; END;
CREATE TRIGGER logged_scan_runs_delete AFTER DELETE ON scan_runs WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scan_runs', json_array(OLD.run_id)); END;
CREATE TRIGGER logged_scan_source_results_insert AFTER INSERT ON scan_source_results WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scan_source_results', json_array(NEW.run_id, NEW.source_uuid)); END;
CREATE TRIGGER logged_scan_source_results_update AFTER UPDATE ON scan_source_results WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'scan_source_results', json_array(NEW.run_id, NEW.source_uuid) UNION ALL SELECT 'scan_source_results', json_array(OLD.run_id, OLD.source_uuid) WHERE OLD.run_id IS NOT NEW.run_id OR OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_scan_source_results_delete AFTER DELETE ON scan_source_results WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('scan_source_results', json_array(OLD.run_id, OLD.source_uuid)); END;
CREATE TRIGGER logged_categories_insert AFTER INSERT ON categories WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('categories', json_array(NEW.id)); END;
CREATE TRIGGER logged_categories_update AFTER UPDATE ON categories WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'categories', json_array(NEW.id) UNION ALL SELECT 'categories', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_categories_delete AFTER DELETE ON categories WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('categories', json_array(OLD.id)); END;
CREATE TRIGGER logged_user_sources_insert AFTER INSERT ON user_sources WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('user_sources', json_array(NEW.user_id, NEW.source_uuid)); END;
CREATE TRIGGER logged_user_sources_update AFTER UPDATE ON user_sources WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'user_sources', json_array(NEW.user_id, NEW.source_uuid) UNION ALL SELECT 'user_sources', json_array(OLD.user_id, OLD.source_uuid) WHERE OLD.user_id IS NOT NEW.user_id OR OLD.source_uuid IS NOT NEW.source_uuid; END;
CREATE TRIGGER logged_user_sources_delete AFTER DELETE ON user_sources WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('user_sources', json_array(OLD.user_id, OLD.source_uuid)); END;
CREATE TRIGGER logged_article_history_insert AFTER INSERT ON article_history WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_history', json_array(NEW.id)); END;
CREATE TRIGGER logged_article_history_update AFTER UPDATE ON article_history WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'article_history', json_array(NEW.id) UNION ALL SELECT 'article_history', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_article_history_delete AFTER DELETE ON article_history WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('article_history', json_array(OLD.id)); END;
CREATE TRIGGER logged_syntheses_insert AFTER INSERT ON syntheses WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('syntheses', json_array(NEW.id)); END;
CREATE TRIGGER logged_syntheses_update AFTER UPDATE ON syntheses WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'syntheses', json_array(NEW.id) UNION ALL SELECT 'syntheses', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_syntheses_delete AFTER DELETE ON syntheses WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('syntheses', json_array(OLD.id)); END;
CREATE TRIGGER logged_synthesis_items_insert AFTER INSERT ON synthesis_items WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('synthesis_items', json_array(NEW.id)); END;
CREATE TRIGGER logged_synthesis_items_update AFTER UPDATE ON synthesis_items WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'synthesis_items', json_array(NEW.id) UNION ALL SELECT 'synthesis_items', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_synthesis_items_delete AFTER DELETE ON synthesis_items WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('synthesis_items', json_array(OLD.id)); END;
CREATE TRIGGER logged_provider_answers_insert AFTER INSERT ON provider_answers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('provider_answers', json_array(NEW.question_sha256)); END;
CREATE TRIGGER logged_provider_answers_update AFTER UPDATE ON provider_answers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'provider_answers', json_array(NEW.question_sha256) UNION ALL SELECT 'provider_answers', json_array(OLD.question_sha256) WHERE OLD.question_sha256 IS NOT NEW.question_sha256; END;
CREATE TRIGGER logged_provider_answers_delete AFTER DELETE ON provider_answers WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('provider_answers', json_array(OLD.question_sha256)); END;
CREATE TRIGGER logged_synthesis_candidates_insert AFTER INSERT ON synthesis_candidates WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('synthesis_candidates', json_array(NEW.synthesis_id, NEW.url)); END;
CREATE TRIGGER logged_synthesis_candidates_update AFTER UPDATE ON synthesis_candidates WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'synthesis_candidates', json_array(NEW.synthesis_id, NEW.url) UNION ALL SELECT 'synthesis_candidates', json_array(OLD.synthesis_id, OLD.url) WHERE OLD.synthesis_id IS NOT NEW.synthesis_id OR OLD.url IS NOT NEW.url; END;
CREATE TRIGGER logged_synthesis_candidates_delete AFTER DELETE ON synthesis_candidates WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('synthesis_candidates', json_array(OLD.synthesis_id, OLD.url)); END;
CREATE TRIGGER logged_brand_library_brands_insert AFTER INSERT ON brand_library_brands WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('brand_library_brands', json_array(NEW.id)); END;
CREATE TRIGGER logged_brand_library_brands_update AFTER UPDATE ON brand_library_brands WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'brand_library_brands', json_array(NEW.id) UNION ALL SELECT 'brand_library_brands', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_brand_library_brands_delete AFTER DELETE ON brand_library_brands WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('brand_library_brands', json_array(OLD.id)); END;
CREATE TRIGGER logged_brand_domains_insert AFTER INSERT ON brand_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('brand_domains', json_array(NEW.domain)); END;
CREATE TRIGGER logged_brand_domains_update AFTER UPDATE ON brand_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'brand_domains', json_array(NEW.domain) UNION ALL SELECT 'brand_domains', json_array(OLD.domain) WHERE OLD.domain IS NOT NEW.domain; END;
CREATE TRIGGER logged_brand_domains_delete AFTER DELETE ON brand_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('brand_domains', json_array(OLD.domain)); END;
CREATE TRIGGER logged_urls_insert AFTER INSERT ON urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('urls', json_array(NEW.id)); END;
CREATE TRIGGER logged_urls_update AFTER UPDATE ON urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'urls', json_array(NEW.id) UNION ALL SELECT 'urls', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_urls_delete AFTER DELETE ON urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('urls', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_submissions_insert AFTER INSERT ON url_submissions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_submissions', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_submissions_update AFTER UPDATE ON url_submissions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_submissions', json_array(NEW.id) UNION ALL SELECT 'url_submissions', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_submissions_delete AFTER DELETE ON url_submissions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_submissions', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_policy_decisions_insert AFTER INSERT ON url_policy_decisions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_policy_decisions', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_policy_decisions_update AFTER UPDATE ON url_policy_decisions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_policy_decisions', json_array(NEW.id) UNION ALL SELECT 'url_policy_decisions', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_policy_decisions_delete AFTER DELETE ON url_policy_decisions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_policy_decisions', json_array(OLD.id)); END;
CREATE TRIGGER logged_policy_rules_insert AFTER INSERT ON policy_rules WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_rules', json_array(NEW.id)); END;
CREATE TRIGGER logged_policy_rules_update AFTER UPDATE ON policy_rules WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'policy_rules', json_array(NEW.id) UNION ALL SELECT 'policy_rules', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_policy_rules_delete AFTER DELETE ON policy_rules WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_rules', json_array(OLD.id)); END;
CREATE TRIGGER logged_policy_lists_insert AFTER INSERT ON policy_lists WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_lists', json_array(NEW.name)); END;
CREATE TRIGGER logged_policy_lists_update AFTER UPDATE ON policy_lists WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'policy_lists', json_array(NEW.name) UNION ALL SELECT 'policy_lists', json_array(OLD.name) WHERE OLD.name IS NOT NEW.name; END;
CREATE TRIGGER logged_policy_lists_delete AFTER DELETE ON policy_lists WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_lists', json_array(OLD.name)); END;
CREATE TRIGGER logged_policy_domains_insert AFTER INSERT ON policy_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_domains', json_array(NEW.list_name, NEW.domain)); END;
CREATE TRIGGER logged_policy_domains_update AFTER UPDATE ON policy_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'policy_domains', json_array(NEW.list_name, NEW.domain) UNION ALL SELECT 'policy_domains', json_array(OLD.list_name, OLD.domain) WHERE OLD.list_name IS NOT NEW.list_name OR OLD.domain IS NOT NEW.domain; END;
CREATE TRIGGER logged_policy_domains_delete AFTER DELETE ON policy_domains WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('policy_domains', json_array(OLD.list_name, OLD.domain)); END;
CREATE TRIGGER logged_user_url_library_insert AFTER INSERT ON user_url_library WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('user_url_library', json_array(NEW.id)); END;
CREATE TRIGGER logged_user_url_library_update AFTER UPDATE ON user_url_library WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'user_url_library', json_array(NEW.id) UNION ALL SELECT 'user_url_library', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_user_url_library_delete AFTER DELETE ON user_url_library WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('user_url_library', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_observations_insert AFTER INSERT ON url_observations WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_observations', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_observations_update AFTER UPDATE ON url_observations WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_observations', json_array(NEW.id) UNION ALL SELECT 'url_observations', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_observations_delete AFTER DELETE ON url_observations WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_observations', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_contents_insert AFTER INSERT ON url_contents WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_contents', json_array(NEW.content_sha256)); END;
CREATE TRIGGER logged_url_contents_update AFTER UPDATE ON url_contents WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_contents', json_array(NEW.content_sha256) UNION ALL SELECT 'url_contents', json_array(OLD.content_sha256) WHERE OLD.content_sha256 IS NOT NEW.content_sha256; END;
CREATE TRIGGER logged_url_contents_delete AFTER DELETE ON url_contents WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_contents', json_array(OLD.content_sha256)); END;
CREATE TRIGGER logged_url_check_state_insert AFTER INSERT ON url_check_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_check_state', json_array(NEW.url_id)); END;
CREATE TRIGGER logged_url_check_state_update AFTER UPDATE ON url_check_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_check_state', json_array(NEW.url_id) UNION ALL SELECT 'url_check_state', json_array(OLD.url_id) WHERE OLD.url_id IS NOT NEW.url_id; END;
CREATE TRIGGER logged_url_check_state_delete AFTER DELETE ON url_check_state WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_check_state', json_array(OLD.url_id)); END;
CREATE TRIGGER logged_url_change_events_insert AFTER INSERT ON url_change_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_change_events', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_change_events_update AFTER UPDATE ON url_change_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_change_events', json_array(NEW.id) UNION ALL SELECT 'url_change_events', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_change_events_delete AFTER DELETE ON url_change_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_change_events', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_change_summaries_insert AFTER INSERT ON url_change_summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_change_summaries', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_change_summaries_update AFTER UPDATE ON url_change_summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_change_summaries', json_array(NEW.id) UNION ALL SELECT 'url_change_summaries', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_change_summaries_delete AFTER DELETE ON url_change_summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_change_summaries', json_array(OLD.id)); END;
CREATE TRIGGER logged_told_events_insert AFTER INSERT ON told_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('told_events', json_array(NEW.user_id, NEW.event_id)); END;
CREATE TRIGGER logged_told_events_update AFTER UPDATE ON told_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'told_events', json_array(NEW.user_id, NEW.event_id) UNION ALL SELECT 'told_events', json_array(OLD.user_id, OLD.event_id) WHERE OLD.user_id IS NOT NEW.user_id OR OLD.event_id IS NOT NEW.event_id; END;
CREATE TRIGGER logged_told_events_delete AFTER DELETE ON told_events WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('told_events', json_array(OLD.user_id, OLD.event_id)); END;
CREATE TRIGGER logged_url_render_artifacts_insert AFTER INSERT ON url_render_artifacts WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_render_artifacts', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_render_artifacts_update AFTER UPDATE ON url_render_artifacts WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_render_artifacts', json_array(NEW.id) UNION ALL SELECT 'url_render_artifacts', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_render_artifacts_delete AFTER DELETE ON url_render_artifacts WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_render_artifacts', json_array(OLD.id)); END;
CREATE TRIGGER logged_trend_definitions_insert AFTER INSERT ON trend_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('trend_definitions', json_array(NEW.id)); END;
CREATE TRIGGER logged_trend_definitions_update AFTER UPDATE ON trend_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'trend_definitions', json_array(NEW.id) UNION ALL SELECT 'trend_definitions', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_trend_definitions_delete AFTER DELETE ON trend_definitions WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('trend_definitions', json_array(OLD.id)); END;
CREATE TRIGGER logged_trend_points_insert AFTER INSERT ON trend_points WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('trend_points', json_array(NEW.trend_id, NEW.series, NEW.day)); END;
CREATE TRIGGER logged_trend_points_update AFTER UPDATE ON trend_points WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'trend_points', json_array(NEW.trend_id, NEW.series, NEW.day) UNION ALL SELECT 'trend_points', json_array(OLD.trend_id, OLD.series, OLD.day) WHERE OLD.trend_id IS NOT NEW.trend_id OR OLD.series IS NOT NEW.series OR OLD.day IS NOT NEW.day; END;
CREATE TRIGGER logged_trend_points_delete AFTER DELETE ON trend_points WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('trend_points', json_array(OLD.trend_id, OLD.series, OLD.day)); END;
CREATE TRIGGER logged_tracked_urls_insert AFTER INSERT ON tracked_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('tracked_urls', json_array(NEW.id)); END;
CREATE TRIGGER logged_tracked_urls_update AFTER UPDATE ON tracked_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'tracked_urls', json_array(NEW.id) UNION ALL SELECT 'tracked_urls', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_tracked_urls_delete AFTER DELETE ON tracked_urls WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('tracked_urls', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_checks_insert AFTER INSERT ON url_checks WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_checks', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_checks_update AFTER UPDATE ON url_checks WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_checks', json_array(NEW.id) UNION ALL SELECT 'url_checks', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_checks_delete AFTER DELETE ON url_checks WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_checks', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_changes_insert AFTER INSERT ON url_changes WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_changes', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_changes_update AFTER UPDATE ON url_changes WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_changes', json_array(NEW.id) UNION ALL SELECT 'url_changes', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_changes_delete AFTER DELETE ON url_changes WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_changes', json_array(OLD.id)); END;
CREATE TRIGGER logged_summaries_insert AFTER INSERT ON summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('summaries', json_array(NEW.id)); END;
CREATE TRIGGER logged_summaries_update AFTER UPDATE ON summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'summaries', json_array(NEW.id) UNION ALL SELECT 'summaries', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_summaries_delete AFTER DELETE ON summaries WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('summaries', json_array(OLD.id)); END;
CREATE TRIGGER logged_url_renders_insert AFTER INSERT ON url_renders WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_renders', json_array(NEW.id)); END;
CREATE TRIGGER logged_url_renders_update AFTER UPDATE ON url_renders WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) SELECT 'url_renders', json_array(NEW.id) UNION ALL SELECT 'url_renders', json_array(OLD.id) WHERE OLD.id IS NOT NEW.id; END;
CREATE TRIGGER logged_url_renders_delete AFTER DELETE ON url_renders WHEN EXISTS (SELECT 1 FROM push_targets) BEGIN INSERT INTO change_log (table_name, row_key) VALUES ('url_renders', json_array(OLD.id)); END;


-- == updated_at ================================================================================
-- A write that does not set updated_at gets the time of the write. The second condition makes it
-- end at once also where recursive triggers are on, as sqlite-utils has them.

CREATE TRIGGER url_identity_touched AFTER UPDATE ON url_identity
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE url_identity SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER users_touched AFTER UPDATE ON users
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE users SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER plan_definitions_touched AFTER UPDATE ON plan_definitions
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE plan_definitions SET updated_at = (SELECT now_utc_iso FROM moment) WHERE plan IS NEW.plan;
END;

CREATE TRIGGER subscriptions_touched AFTER UPDATE ON subscriptions
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE subscriptions SET updated_at = (SELECT now_utc_iso FROM moment) WHERE user_id IS NEW.user_id;
END;

CREATE TRIGGER onboarding_state_touched AFTER UPDATE ON onboarding_state
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE onboarding_state SET updated_at = (SELECT now_utc_iso FROM moment) WHERE user_id IS NEW.user_id;
END;

CREATE TRIGGER settings_touched AFTER UPDATE ON settings
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE settings SET updated_at = (SELECT now_utc_iso FROM moment) WHERE user_id IS NEW.user_id;
END;

CREATE TRIGGER source_numbers_touched AFTER UPDATE ON source_numbers
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE source_numbers SET updated_at = (SELECT now_utc_iso FROM moment) WHERE url_scraping_method IS NEW.url_scraping_method;
END;

CREATE TRIGGER sources_master_list_touched AFTER UPDATE ON sources_master_list
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE sources_master_list SET updated_at = (SELECT now_utc_iso FROM moment) WHERE source_uuid IS NEW.source_uuid;
END;

CREATE TRIGGER source_fetch_state_touched AFTER UPDATE ON source_fetch_state
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE source_fetch_state SET updated_at = (SELECT now_utc_iso FROM moment) WHERE source_uuid IS NEW.source_uuid;
END;

CREATE TRIGGER extracted_article_urls_touched AFTER UPDATE ON extracted_article_urls
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE extracted_article_urls SET updated_at = (SELECT now_utc_iso FROM moment) WHERE article_uuid IS NEW.article_uuid;
END;

CREATE TRIGGER url_resolutions_touched AFTER UPDATE ON url_resolutions
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE url_resolutions SET updated_at = (SELECT now_utc_iso FROM moment) WHERE article_url_original IS NEW.article_url_original;
END;

CREATE TRIGGER source_left_out_touched AFTER UPDATE ON source_left_out
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE source_left_out SET updated_at = (SELECT now_utc_iso FROM moment) WHERE source_uuid IS NEW.source_uuid;
END;

CREATE TRIGGER article_documents_touched AFTER UPDATE ON article_documents
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE article_documents SET updated_at = (SELECT now_utc_iso FROM moment) WHERE docid IS NEW.docid;
END;

CREATE TRIGGER scrape_state_touched AFTER UPDATE ON scrape_state
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE scrape_state SET updated_at = (SELECT now_utc_iso FROM moment) WHERE article_uuid IS NEW.article_uuid;
END;

CREATE TRIGGER scan_runs_touched AFTER UPDATE ON scan_runs
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE scan_runs SET updated_at = (SELECT now_utc_iso FROM moment) WHERE run_id IS NEW.run_id;
END;

CREATE TRIGGER categories_touched AFTER UPDATE ON categories
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE categories SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER brand_library_brands_touched AFTER UPDATE ON brand_library_brands
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE brand_library_brands SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER brand_domains_touched AFTER UPDATE ON brand_domains
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE brand_domains SET updated_at = (SELECT now_utc_iso FROM moment) WHERE domain IS NEW.domain;
END;

CREATE TRIGGER urls_touched AFTER UPDATE ON urls
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE urls SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER url_submissions_touched AFTER UPDATE ON url_submissions
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE url_submissions SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER policy_rules_touched AFTER UPDATE ON policy_rules
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE policy_rules SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER policy_lists_touched AFTER UPDATE ON policy_lists
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE policy_lists SET updated_at = (SELECT now_utc_iso FROM moment) WHERE name IS NEW.name;
END;

CREATE TRIGGER user_url_library_touched AFTER UPDATE ON user_url_library
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE user_url_library SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER url_check_state_touched AFTER UPDATE ON url_check_state
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE url_check_state SET updated_at = (SELECT now_utc_iso FROM moment) WHERE url_id IS NEW.url_id;
END;

CREATE TRIGGER url_change_events_touched AFTER UPDATE ON url_change_events
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE url_change_events SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER trend_definitions_touched AFTER UPDATE ON trend_definitions
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE trend_definitions SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER trend_points_touched AFTER UPDATE ON trend_points
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE trend_points SET updated_at = (SELECT now_utc_iso FROM moment) WHERE trend_id IS NEW.trend_id AND series IS NEW.series AND day IS NEW.day;
END;

CREATE TRIGGER tracked_urls_touched AFTER UPDATE ON tracked_urls
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE tracked_urls SET updated_at = (SELECT now_utc_iso FROM moment) WHERE id IS NEW.id;
END;

CREATE TRIGGER push_targets_touched AFTER UPDATE ON push_targets
WHEN NEW.updated_at IS OLD.updated_at AND NEW.updated_at IS NOT (SELECT now_utc_iso FROM moment)
BEGIN
    UPDATE push_targets SET updated_at = (SELECT now_utc_iso FROM moment) WHERE target_id IS NEW.target_id;
END;
