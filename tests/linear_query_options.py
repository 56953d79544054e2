"""The options of `dpcore.linear_queries.error` that a workload and a strategy take."""

from typing import Any

USERS = {"window": ("window", "year_to_date"), "branching": ("tree", "best"), "bands": ("banded",)}


def own_options(workload: object, strategy: str, **options: int) -> dict[str, Any]:
    """Return those of the options that the workload or the strategy uses."""
    return {
        name: value
        for name, value in options.items()
        if strategy in USERS[name] or (isinstance(workload, str) and workload in USERS[name])
    }
