"""What a page shows, and what leaves it: an exhibit is a picture or a table with its words and its numbers."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

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

    def csv(self, link: str = "") -> str:
        """The numbers as a CSV whose first lines, after #, give the link, the parameters and units.

        >>> print(Exhibit("sigma", "", "", pd.DataFrame({"sigma": [1.5]}), {"epsilon": "1"}).csv("/?epsilon=1"), end="")
        # link: /?epsilon=1
        # epsilon: 1
        sigma
        1.5
        """
        header = ({"link": link} if link else {}) | self.header
        lines = "".join(f"# {key}: {value}\n" for key, value in header.items())
        numbers = self.numbers if isinstance(self.numbers, pd.DataFrame) else self.numbers()
        return lines + numbers.to_csv(index=False, lineterminator="\n")
