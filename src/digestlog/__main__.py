"""`python -m digestlog` is the same program as `digestlog`."""

from digestlog.cli import main

if __name__ == "__main__":
    main()
