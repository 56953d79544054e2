"""Exhibits: the charts and tables of a page, each with its text alternative and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

CONFIDENTIAL_PICTURE = "This picture shows your confidential counts."
CONFIDENTIAL_TABLE = "This table shows your confidential counts."
CONFIDENTIAL_FIGURES = "This shows figures that are computed, without noise, from your confidential data."
CONFIDENTIAL_POINTS = "This shows points of your own data."
CONFIDENTIAL_CODE = "This code contains your confidential data."
CONFIDENTIAL_RELEASE = (
    "Your confidential counts can be computed from this trial release, because the seed of its noise is saved with it."
)
Figure = dict[str, Any]
Colours = dict[str, str]


@dataclass(frozen=True)
class Exhibit:
    """A chart or a table of a page at one setting.

    `picture` is a Plotly figure as a dict, or a table as HTML; `alternative` is a sentence on what it shows, for those
    who cannot see it; `numbers` is the table behind it, or a function that computes the table on demand; `header` has
    the parameters and units for the top of its CSV file. A click on a chart sets the parameters whose keys are in
    `picks`: those of its x and its y, "" for none. `confidential` is the sentence of saved files on the user's own
    data that the exhibit shows; it is empty if there are none.
    """

    name: str
    picture: Figure | str
    alternative: str
    numbers: pd.DataFrame | Callable[[], pd.DataFrame]
    header: dict[str, Any] = field(default_factory=dict)
    picks: tuple[str, str] = ("", "")
    confidential: str = ""

    @property
    def table(self) -> pd.DataFrame:
        """Return the table of the numbers, which is computed here if `numbers` is a function."""
        return self.numbers if isinstance(self.numbers, pd.DataFrame) else self.numbers()
