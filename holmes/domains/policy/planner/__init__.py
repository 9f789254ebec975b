"""Drawing policy questions."""
