"""``python -m blocksight`` is the command ``blocksight``."""

from .app.cli import main

if __name__ == "__main__":
    main()
