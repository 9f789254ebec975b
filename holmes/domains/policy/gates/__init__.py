"""Quality checks of policy questions."""
