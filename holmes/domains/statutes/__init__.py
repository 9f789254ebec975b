"""What the domains whose rules are a statute share: places of a record, narratives, programs, splits."""
