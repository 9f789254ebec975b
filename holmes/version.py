"""The version of the package, alone, so that the core can ask for it without importing anything."""

__version__ = "0.1.0"
