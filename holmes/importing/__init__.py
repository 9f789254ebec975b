"""Importers of the authors' releases: read, check, convert to cases, swap into the cache whole."""
