"""Hostile input to pages, generated from their parameters, and the conditions that every answer must satisfy."""
