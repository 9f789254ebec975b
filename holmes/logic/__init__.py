"""Typed expressions, rule bases, evaluation, explanation graphs."""
