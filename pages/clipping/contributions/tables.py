"""The table of the limits that one may choose, with what each costs."""

import pandas as pd

from pages.clipping.amounts import amount, amount_up
from pages.clipping.contributions.results import ContributionsResult
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import percent_up

_NAMES = {"best": "Least error", "yours": "Your limit", "most": "No record dropped"}


def limits_frame(result: ContributionsResult) -> pd.DataFrame:
    """Return the limits that one may choose, and the errors at each."""
    errors = result.choice_errors
    columns = ("dropped", "dropped_share", "noise_scale", "cell_error", "total_error", "cell_half_width")
    frame = {"choice": list(result.choices), "limit": list(result.choices.values())}
    return pd.DataFrame(frame | {name: getattr(errors, name) for name in (*columns, "all_half_width")})


def table_html(result: ContributionsResult) -> str:
    """Return the limits as an accessible HTML table."""
    heads = [
        "Limit",
        "Records per person r",
        "Records dropped",
        "Share dropped",
        "Noise scale",
        "Error of one cell",
        "Error of the total",
        "± of one cell",
        "± of all cells",
    ]
    rows = [
        [
            _NAMES[row["choice"]],
            f"{row['limit']:,}",
            amount(row["dropped"]),
            percent_up(row["dropped_share"]),
            *(
                amount_up(row[name])
                for name in ("noise_scale", "cell_error", "total_error", "cell_half_width", "all_half_width")
            ),
        ]
        for row in limits_frame(result).to_dict("records")
    ]
    return number_format.table_html("Contribution limits and what each costs", "readings", heads, rows)
