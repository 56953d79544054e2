"""The command `dp-explorer`, which starts the dashboard, in a checkout and where the wheel is installed."""
