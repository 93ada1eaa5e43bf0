"""How a page is read and compared; `core/snapshot.py` and `core/changes.py` are the doors."""
