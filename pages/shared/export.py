"""What a page shows, and what leaves it: an exhibit is a picture or a table with its words and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import pandas as pd

import dpcore

Figure = dict[str, Any]
Colours = dict[str, str]


@dataclass(frozen=True)
class Exhibit:
    """A chart or a table of a page, as a function of one setting made it.

    `picture` is a Plotly figure as a dict, or a table as HTML; `alternative` says in a sentence what it shows, for
    those who can't see it; `numbers` are those behind it, given or made when they are asked for; `header` has the
    parameters and units for the top of their CSV. A click on a chart sets the parameters whose keys are in `picks`:
    those of its x and its y, "" for none.
    """

    name: str
    picture: Figure | str
    alternative: str
    numbers: pd.DataFrame | Callable[[], pd.DataFrame]
    header: dict[str, Any] = field(default_factory=dict)
    picks: tuple[str, str] = ("", "")

    def csv(self, link: str = "", day: str = "") -> str:
        """The numbers as a CSV whose first lines, after #, give the link, version and date, the parameters and units.

        `day` is YYYY-MM-DD, today where none is given.

        >>> made = Exhibit("sigma", "", "", pd.DataFrame({"sigma": [1.5]}), {"epsilon": "1"})
        >>> print(made.csv("/?epsilon=1", "2026-11-21").replace(dpcore.__version__, "1.2.3"), end="")
        # link: /?epsilon=1
        # version: DP Trade-off Explorer 1.2.3
        # date: 2026-11-21
        # epsilon: 1
        sigma
        1.5
        """
        origin = {"version": f"DP Trade-off Explorer {dpcore.__version__}", "date": day or date.today().isoformat()}
        header = ({"link": link} if link else {}) | origin | self.header
        lines = "".join(f"# {key}: {value}\n" for key, value in header.items())
        numbers = self.numbers if isinstance(self.numbers, pd.DataFrame) else self.numbers()
        return lines + numbers.to_csv(index=False, lineterminator="\n")
