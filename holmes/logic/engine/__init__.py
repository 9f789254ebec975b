"""Evaluation of rule bases, one case or many at once."""
