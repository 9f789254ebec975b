"""Case texts: written, read back, edited."""
