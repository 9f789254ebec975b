"""Families of minimal sufficient derivations."""
