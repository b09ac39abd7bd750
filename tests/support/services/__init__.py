"""Services: what stands for a service in a test, and how a command is run beside it."""
