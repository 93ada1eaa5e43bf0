"""A small invented web, served from this machine, on which digestlog can be tried without the network."""
