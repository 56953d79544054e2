"""The table of the plan, as HTML and as a data frame."""

import numpy as np
import pandas as pd

from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.plan.query_kinds import LABELS, NOISE_NAMES
from pages.plan.results import PlannedQuery, PlanResult

_RELATIVE_ERROR = 8  # the place of its column


def plan_table_html(result: PlanResult) -> str:
    """Return a row for each query of the list: its noise, its errors, and what it costs; and the total.

    Without any expected answer, the column of relative errors is left out.
    """
    heads = ["Query", "± reached", "± wanted", "ε it adds", "Noise", "Scale", "± one cell", "± all cells", "± ÷ answer"]
    planned = {part.row.name: part for part in result.planned_queries}
    body = [_cells(planned[row.name], result) if row.name in planned else _left_out(row.name) for row in result.rows]
    if result.plan is not None:
        total = format_up(result.epsilon)
        body.append(["All together", "", "", f"{total} in total", *[""] * 5, ""])
    table = [[*heads, "Sampler"], *body]
    if all(row.item.expected is None for row in result.rows):
        table = [row[:_RELATIVE_ERROR] + row[_RELATIVE_ERROR + 1 :] for row in table]
    return number_format.table_html("The plan", "plan", table[0], table[1:])


def scale_text(part: PlannedQuery) -> str:
    """Return the scale of the noise with the threshold, if there is one, or the ε of a choice."""
    threshold = "" if part.threshold is None else f", τ = {format_up(part.threshold)}"
    return f"{part.noise.symbol} = {format_up(part.noise.scale)}{threshold}"


def _left_out(name: str) -> list[str]:
    return [name, "left out", *["–"] * 8]


def _cells(part: PlannedQuery, result: PlanResult) -> list[str]:
    significance, item = result.setting.significance, part.row.item
    per_cell, joint = (part.half_width_of_cells(significance, joint=joint) for joint in (False, True))
    relative = part.relative
    return [
        part.row.name,
        format_up(part.half_width),
        "fixed noise" if item.is_fixed else format_nearest(item.target),
        format_nearest(part.cost, 2),
        NOISE_NAMES[part.noise.family],
        scale_text(part),
        format_up(per_cell),
        format_up(joint) if item.n_cells > 1 else "–",
        "–" if relative is None else number_format.percent_up(relative, 3),
        "exact" if part.noise.whole or part.is_choice else "floating-point-safe version",
    ]


def plan_frame(result: PlanResult) -> pd.DataFrame:
    """Return a row for each query of the list; what is left out has no numbers."""
    planned = {part.row.name: part for part in result.planned_queries}
    rows = [_frame_row(planned.get(row.name), result) for row in result.rows]
    first = pd.DataFrame(
        {
            "query": [row.name for row in result.rows],
            "kind": [LABELS[row.item.kind] for row in result.rows],
            "wanted": [np.nan if row.item.is_fixed else row.item.target for row in result.rows],
        }
    )
    columns = ["reached", "one_cell", "all_cells", "noise", "scale", "epsilon_added", "epsilon_before"]
    return pd.concat([first, pd.DataFrame(rows, columns=columns)], axis=1)


def _frame_row(part: PlannedQuery | None, result: PlanResult) -> list[float | str]:
    if part is None:
        return [np.nan, np.nan, np.nan, "left out", np.nan, np.nan, np.nan]
    per_cell, joint = (part.half_width_of_cells(result.setting.significance, joint=joint) for joint in (False, True))
    costs = result.cost.tolist()
    place = [row.name for row in result.planned_rows].index(part.row.name)
    return [
        *(part.half_width, per_cell, joint, part.noise.family),
        *(part.noise.scale, part.cost, float(np.sum(costs[:place]))),
    ]
