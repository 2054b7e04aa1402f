"""`python -m pyramide_core` is the command `pyramide`."""

import sys

from pyramide_core.cli import main

if __name__ == "__main__":
    sys.exit(main())
