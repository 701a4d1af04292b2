"""``python -m sandriver`` is the ``sandriver`` command."""

import sys

from sandriver.cli import main

sys.exit(main())
