"""Remembers: the only place with SQL."""
