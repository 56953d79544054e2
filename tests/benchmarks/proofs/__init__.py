"""Compare every one-sidedly rounded result of dpcore with its definition in interval arithmetic."""
