"""The figure of the shares of a budget."""

from collections.abc import Sequence

import numpy as np

from dpcore.checks import Array
from pages.framework.chart.theme import TYPE, compact, layout
from pages.framework.export.exhibit import Colours, Figure
from pages.framework.parameters import number_format


def shares_figure(
    names: Sequence[str],
    epsilon: Array,
    locked: Sequence[bool],
    total: float,
    subtitle: str,
    colours: Colours,
    pinned: Array | None = None,
) -> Figure:
    """Draw each query's share of ε as a bar, the locked ones in grey; those of a pinned setting as lines."""
    figure = layout(
        colours,
        "Who gets how much of ε",
        number_format.chart_text(subtitle),
        {"range": [0, 1.18 * (total or 1.0)], "title": {"text": "ε (nats)", "font": {"size": TYPE}}},
        {
            "tickvals": list(range(len(names))),
            "ticktext": [number_format.chart_text(name, 20) for name in names],
            "range": [len(names) - 0.5, -0.5],
        },
    )
    bars = {
        "type": "bar",
        "orientation": "h",
        "name": "share of ε",
        "showlegend": False,
        "x": compact(epsilon),
        "y": np.arange(len(names)),
        "marker": {"color": [colours["grey" if lock else "blue"] for lock in locked]},
        "text": [
            f"{number_format.format_down(share)}{' (locked)' if lock else ''}"
            for share, lock in zip(epsilon, locked, strict=True)
        ],
        "textposition": "outside",
        "cliponaxis": False,
        "hoverinfo": "skip",
    }
    for place, share in enumerate(() if pinned is None else pinned.tolist()):
        span = {"type": "line", "x0": share, "x1": share, "y0": place - 0.45, "y1": place + 0.45}
        figure["shapes"].append(span | {"line": {"color": colours["ghost"], "width": 4}})
    return {"data": [bars], "layout": figure | {"height": 150 + 42 * len(names), "hovermode": False, "dragmode": False}}
