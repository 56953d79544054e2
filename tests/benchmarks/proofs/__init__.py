"""Every result of dpcore that guarantees to be rounded to one side, against its definition in interval arithmetic."""
