"""digestlog: the local-first ledger of what the web told you."""

__version__ = "0.1.0"
