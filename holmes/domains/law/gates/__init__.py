"""Quality checks of law cases."""
