"""Drawing tax cases and claims."""
