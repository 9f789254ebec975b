"""Controlled English for rules: written and read back."""
