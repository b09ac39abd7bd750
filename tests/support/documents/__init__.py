"""Documents: whatever is made from code or measured, and written into the project."""
