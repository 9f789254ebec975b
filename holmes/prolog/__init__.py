"""Prolog programs: extracted from text, run contained, their output read."""
