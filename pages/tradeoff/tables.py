"""The head of the CSV of every exhibit of trade-off curves."""

from typing import Any

from pages.framework.parameters.list_parameter import list_text
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.text import description


def csv_header(result: TradeoffResult, **entries: Any) -> dict[str, str]:
    """Return the curves, the other parameters of the numbers, and the units, for the top of a CSV."""
    if result.pinned is not None:
        entries |= {"pinned": description(result.pinned.chosen_row)}
    return {
        "curves": "; ".join(result.display_names),
        "curves in the link": list_text(result.setting.curves),
        **{key: str(value) for key, value in entries.items()},
        "units": "alpha, beta, power, delta are probabilities; epsilon in nats; mu dimensionless",
    }
