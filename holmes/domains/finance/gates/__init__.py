"""Quality checks of finance cases."""
