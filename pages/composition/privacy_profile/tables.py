"""The data frames and the HTML table of the section "δ over ε"."""

import pandas as pd

from dpcore import composition
from pages.composition.privacy_profile import results
from pages.composition.privacy_profile.text import epsilon_text
from pages.composition.results import CompositionResult
from pages.composition.total_epsilon.results import all_releases
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up

_DELTAS = (1e-3, 1e-5, 1e-6, 1e-9, 1e-12)  # rows of the table


def curves_frame(result: CompositionResult) -> pd.DataFrame:
    """Return δ at each ε of the figure."""
    curve = results.profile_at(result)
    columns = {"epsilon": curve.epsilon, "delta": curve.least, "delta_rdp": curve.rdp, "delta_zcdp": curve.zcdp}
    return pd.DataFrame(columns)


def table_frame(result: CompositionResult) -> pd.DataFrame:
    """Return ε at some δ, the page's δ among them."""
    releases = all_releases(result)
    deltas = sorted({*_DELTAS, result.setting.delta}, reverse=True)
    epsilon_of_page = {result.setting.delta: results.points_at(result).epsilon}
    rows = [
        (
            delta,
            epsilon_of_page.get(delta) or results.least_epsilon(releases, delta, results.axis_end(result)),
            *(float(composition.epsilon(releases, delta, name).value) for name in ("rdp", "zcdp")),
        )
        for delta in deltas
    ]
    return pd.DataFrame(rows, columns=["delta", "epsilon", "epsilon_rdp", "epsilon_zcdp"])


def table_html(result: CompositionResult) -> str:
    """Return ε of the whole list at some δ by three accountants, as a table."""
    rows = [
        [format_input_up(delta), *(epsilon_text(value) for value in values)]
        for delta, *values in table_frame(result).itertuples(index=False, name=None)
    ]
    exact = "exact" if results.profile_at(result).is_exact else "least upper bound"
    return number_format.table_html("ε at other δ", "deltas", ["δ", f"ε, {exact}", "ε by RDP", "ε by zCDP"], rows)
