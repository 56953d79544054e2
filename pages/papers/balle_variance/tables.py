"""The numbers of Experiment 5.1: as frames for the table and for the picture, and as a table."""

from collections.abc import Sequence
from functools import lru_cache

import pandas as pd

from dpcore import denoise
from dpcore.calibrations import FAILS, PROVED
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, percent_down
from pages.papers.balle_variance.results import RatioCurve, table_deltas
from pages.papers.results import PapersResult

TABLE_EPSILONS = (0.01, 0.1, 0.5, 1.0, 3.0, 10.0)


def ratio_frame(deltas: Sequence[float]) -> pd.DataFrame:
    """Return the ratio at some ε for each δ, with its status."""
    return pd.concat([_delta_rows(delta) for delta in deltas], ignore_index=True)


def curves_frame(along: str, curves: Sequence[RatioCurve]) -> pd.DataFrame:
    """Return the curves of the picture, with the status of the classical σ at each point."""
    other = "delta" if along == "epsilon" else "epsilon"
    frames = []
    for curve in curves:
        columns = {along: curve.x, other: curve.value, "ratio": curve.ratio}
        frames.append(pd.DataFrame(columns | {"removed": curve.removed, "status": curve.status}))
    return pd.concat(frames, ignore_index=True)


@lru_cache(256)
def _delta_rows(delta: float) -> pd.DataFrame:
    return denoise.variance_ratios(TABLE_EPSILONS, delta)


def table_html(result: PapersResult) -> str:
    """Return the ratios as an accessible HTML table, a row for each δ, with the status of the classical σ."""
    heads = ["δ", *(f"ε = {format_input_up(epsilon)}" for epsilon in TABLE_EPSILONS), "Too small from"]
    body = []
    for delta, rows in ratio_frame(table_deltas(result)).groupby("delta", sort=False):
        records = rows.to_dict("records")
        cells = [_ratio_cell(float(record["ratio"]), record["status"]) for record in records]
        limit = f"ε = {format_up(float(records[0]['fails_from']), 3)}"
        body.append([format_input_up(float(str(delta))), *cells, limit])
    return number_format.table_html("Classical variance ÷ analytic variance", "ratios", heads, body)


def _ratio_cell(value: float, status: str) -> str:
    if status == FAILS:
        return f"{format_nearest(value, 3)} ✗ FAILS"
    unproved = "" if status == PROVED else " ! unproved"
    return f"{format_nearest(value, 3)} ({percent_down(1 - 1 / value, 3)}){unproved}"
