"""The program with less patience, on a web whose public names are served on this machine.

python impatient.py PINS ARGUMENT...   PINS: {"name": [address, port], ...}
"""

from __future__ import annotations

import json
import sys

from digestlog.cli import main
from digestlog.cli.app import App
from digestlog.web.fetch import Fetcher, Limits

LIMITS = Limits(total_s=4, connect_s=2, read_s=1)


def fetcher(self: App) -> Fetcher:
    """What fetches, in seconds instead of minutes."""
    return Fetcher(pins=self.pins, limits=LIMITS)


# The guard matters: the processes that read feeds load this file again.
if __name__ == "__main__":
    App.fetcher = fetcher  # type: ignore[method-assign]
    pins = {name: (address, port) for name, (address, port) in json.loads(sys.argv[1]).items()}
    main(sys.argv[2:], pins=pins)
