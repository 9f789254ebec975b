"""Deciding policy questions and explaining the decision."""
