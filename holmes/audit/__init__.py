"""Audits: quality gates of our own data, and the defects of the authors' releases."""
