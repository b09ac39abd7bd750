"""The reference service: the whole API of the description, served locally."""
