"""What people read: cards, case views, tables."""
