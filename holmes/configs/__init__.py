"""Data sets drawn from several domains."""
