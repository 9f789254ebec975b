"""What every domain gets: building, verifying, solving, auditing, importing, statistics."""
