"""Fetches: the only place with a socket."""
