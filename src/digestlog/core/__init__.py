"""Decides: pure functions over frozen values; no network, no SQL, no clock."""
