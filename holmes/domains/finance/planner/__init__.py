"""Drawing finance claims."""
