"""Every result of dpcore that promises to be rounded to one side, against its definition in interval arithmetic."""
