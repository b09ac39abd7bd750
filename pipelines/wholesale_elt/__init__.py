"""What people run: the command line, loading, and what stands behind them."""
