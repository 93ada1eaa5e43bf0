"""Shows: Datasette behind a gatekeeper, and the screens.

gatekeeper.py    one ASGI application: who it is, what may be asked, what goes out
instances.py     an admin's Datasette on the file; every other user's on their own copy
plugin/          the second wall, inside Datasette; guards the file also where Datasette runs by itself
sign_in.py       coming in and going out
screens/         pages of our own: a route, a function, a template
"""
