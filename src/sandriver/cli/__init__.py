"""Floor 6, the terminal: ``sandriver COMMAND …``. Each command is a module of its own, imported only when it is called."""

from sandriver.cli.main import main

__all__ = ["main"]
