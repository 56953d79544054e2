"""What leaves the page: a chart as SVG or PNG, and its numbers as CSV with the parameters and units in the header."""

from collections.abc import Callable
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared.figures import theme


def chart(
    name: str,
    figure: theme.Figure,
    alt: str,
    picture: str,
    numbers: pd.DataFrame | Callable[[], pd.DataFrame],
    header: dict[str, Any],
    pick: Callable[[float], None] | None = None,
) -> None:
    """Draw a chart with its text alternative, the toolbar that saves it, and the button for its numbers.

    `pick` is called with the x of a point that is clicked.
    """

    def picked() -> None:
        points = st.session_state[name].selection.points
        if points and pick is not None:
            pick(float(points[0]["x"]))

    st.plotly_chart(
        figure,
        theme=None,
        key=name,
        config=theme.toolbar(picture, name),
        alt=alt,
        on_select="ignore" if pick is None else picked,
        selection_mode="points",
    )
    csv_button(numbers, header, name)


def csv_text(frame: pd.DataFrame, header: dict[str, Any]) -> str:
    """Return a CSV whose first lines, after #, name the parameters and units.

    >>> print(csv_text(pd.DataFrame({"sigma": [1.5]}), {"epsilon": "1"}), end="")
    # epsilon: 1
    sigma
    1.5
    """
    lines = "".join(f"# {key}: {value}\n" for key, value in header.items())
    return lines + frame.to_csv(index=False, lineterminator="\n")


def csv_button(numbers: pd.DataFrame | Callable[[], pd.DataFrame], header: dict[str, Any], name: str) -> None:
    """Offer the numbers behind a picture, given or made when they are asked for, as the file is."""
    st.download_button(
        "↓ Numbers as CSV",
        lambda: csv_text(numbers if isinstance(numbers, pd.DataFrame) else numbers(), header),
        f"{name}.csv",
        "text/csv",
        key=f"csv_{name}",
        on_click="ignore",
        type="tertiary",
    )
