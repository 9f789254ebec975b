"""Intervals and paired tests over per-case numbers."""
