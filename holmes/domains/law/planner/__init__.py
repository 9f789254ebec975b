"""Drawing law cases."""
