"""Feed bytes: which kind of feed they are, whose, and the entries they hold."""

from digestlog.core.feeds.entry import Entry, Feed
from digestlog.core.feeds.identity import FeedIdentity, identify
from digestlog.core.feeds.read import read_feed, read_sure

__all__ = ["Entry", "Feed", "FeedIdentity", "identify", "read_feed", "read_sure"]
