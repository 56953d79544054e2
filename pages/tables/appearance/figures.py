"""The charts and the table of the groups that appear: over their size; how many, with what share, over k and ε."""

from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from pages.framework.chart.theme import decades, hairline, hover_head, layout, line, log_axis
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_TABLE, Colours, Exhibit
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up, format_up
from pages.shared.looks import Look, family_look
from pages.tables.appearance import text
from pages.tables.appearance.results import ONLY_NAMES
from pages.tables.appearance.text import NAMES
from pages.tables.parameters import THRESHOLD_NOISES
from pages.tables.results import TablesResult

_HEIGHT = 400
_TICKS_AT = -0.04  # below the probabilities
_LOOKS = {key: family_look(key) for key in THRESHOLD_NOISES} | {ONLY_NAMES: Look("green", dash="dot")}
_MARKERS = dict(zip(_LOOKS, ("square", "circle", "diamond", "triangle-up"), strict=True))  # no two alike
GROUPS_NAME = "your groups"


def size_chart(result: TablesResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the probability over the size, with the groups as ticks below; nothing without an answer."""
    appearance = result.appearance
    if result.is_missing or appearance.problem:
        return None
    frame = appearance.over_size
    sizes = frame["size"].to_numpy()
    unit = text.counted_unit(appearance)
    x = {"range": [0, sizes[-1]], "title": {"text": f"{unit} in the group"}} | hover_head(unit)
    y = {"range": [-0.08, 1.03], "title": {"text": "probability of appearing"}, "tickformat": ",~%"}
    y |= {"tickvals": [0, 0.25, 0.5, 0.75, 1]}
    subtitle = chart_text(text.subtitle(result))
    figure = layout(colours, "Which groups appear, by size", subtitle, x, y) | {"height": _HEIGHT}
    traces = [
        line(sizes, frame[key], NAMES[key], colours[_LOOKS[key].colour], _LOOKS[key].dash, hovertemplate="%{y:.4~%}")
        for key in appearance.ways
    ]
    threshold = float(appearance.shown_release.threshold)
    handle = "" if appearance.is_own_too_low else "threshold"  # which would stand at what was entered
    hairline(figure, colours, threshold, f"threshold {format_up(threshold)}", handle)
    ticks = appearance.groups[0]
    ticks = ticks[ticks <= sizes[-1]]
    if ticks.size:
        marker = {"symbol": "line-ns-open", "size": 10, "color": colours["quiet"]}
        style = {"mode": "markers", "marker": marker, "hoverinfo": "skip"}
        traces.append(line(ticks, np.full(ticks.size, _TICKS_AT), GROUPS_NAME, colours["quiet"], "solid", **style))
    return Exhibit(
        *("over_size", {"data": traces, "layout": figure}, text.size_alternative(appearance), frame, header(result)),
        confidential=result.confidential_note(CONFIDENTIAL_PICTURE),
    )


def _over(result: TablesResult, colours: Colours, *, along: str, column: str) -> Exhibit | None:
    """Return how many groups appear by each way, or their share of the cases, over k or ε; nothing without groups."""
    appearance, is_share = result.appearance, column == "share"
    if result.is_missing or appearance.problem or not appearance.n_groups:
        return None
    if along == "k":
        frame, k = appearance.over_groups, appearance.groups_per_person
        last = int(np.ceil(np.log10(frame["groups_per_person"].max()) + 0.1))
        x = log_axis("groups per person k", 0, last) | {"range": [-0.08, last]}
        symbol, handle = "k", (k, f"k = {k:,.0f}", "per_person")
    else:
        frame, epsilon = appearance.over_epsilon, appearance.epsilon
        x = log_axis("ε (nats)", *decades(-1, 1, *frame["epsilon"]))
        symbol, handle = "ε", (epsilon, f"ε = {format_input_up(epsilon)}", "epsilon")
    y: dict[str, Any] = {"title": {"text": "cases in groups that appear" if is_share else "groups that appear"}}
    y |= {"range": [0, 1.03], "tickformat": ",~%"} if is_share else {"rangemode": "tozero"}
    title = f"{'Share of the cases in these groups' if is_share else 'Groups that appear'}, over {symbol}"
    figure = layout(colours, title, chart_text(text.subtitle(result)), x | hover_head(symbol), y) | {"height": _HEIGHT}
    traces, hover = [], "%{y:.1~%} of the total" if is_share else "%{y:,.4~g} groups"
    for key in dict.fromkeys(frame["way"]):
        rows, shade, dash = frame[frame["way"] == key], colours[_LOOKS[key].colour], _LOOKS[key].dash
        style = {"mode": "markers", "marker": {"color": shade, "symbol": _MARKERS[key], "size": 9}}
        traces.append(line(rows.iloc[:, 0], rows[column], NAMES[key], shade, dash, hovertemplate=hover, **style))
    hairline(figure, colours, *handle)
    return Exhibit(
        f"{'cases' if is_share else 'groups'}_over_{along}",
        {"data": traces, "layout": figure},
        text.alternative_text(appearance, frame, column, symbol),
        frame,
        header(result),
        confidential=result.confidential_note(CONFIDENTIAL_PICTURE),
    )


groups_chart, cases_chart = partial(_over, along="k", column="groups"), partial(_over, along="k", column="share")
epsilon_chart = partial(_over, along="epsilon", column="groups")
cases_epsilon_chart = partial(_over, along="epsilon", column="share")


def chances_table(result: TablesResult, _: Colours) -> Exhibit | None:
    """Return the largest groups with their probability; nothing without an answer or without groups."""
    appearance = result.appearance
    if result.is_missing or appearance.problem or not appearance.n_groups:
        return None
    html, alternative = text.chances_html(result), text.chances_alternative(appearance)
    about, confidential = (partial(chances_frame, result), header(result)), result.confidential_note(CONFIDENTIAL_TABLE)
    return Exhibit("appear_table", html, alternative, *about, confidential=confidential)


def chances_frame(result: TablesResult) -> pd.DataFrame:
    """Return the groups with their probability, as a data frame."""
    counts = result.appearance.counts
    names = pd.Series([f"group {place}" for place in range(1, counts.size + 1)])
    cells = names if result.table is None else result.table.frame["cell"]
    return pd.DataFrame({"cell": cells.to_numpy(), "count": counts, "probability": result.appearance.chances})


def header(result: TablesResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    appearance = result.appearance
    entries = {key: exact_text(getattr(appearance, key)) for key in ("epsilon", "delta", "groups_per_person", "c")}
    release = appearance.shown_release
    noise = {key: exact_text(float(getattr(release, key))) for key in ("scale", "threshold")}
    list_of = {"cases": exact_text(float(appearance.counts.sum()))} if result.table is None else {}
    units = {"units": "sizes and thresholds in counts; epsilon in nats; probabilities; share of the total count"}
    return entries | {"noise": release.noise} | noise | {"wanted": exact_text(appearance.probability)} | list_of | units
