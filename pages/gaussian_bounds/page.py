"""The page of the Gaussian bounds: its own parameters, and its sections."""

import math
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

import pandas as pd

from dpcore import comparison
from dpcore.calibrations import CLASSICAL_TIGHT, FAILS, FLOOR, PROBABILISTIC_DP, SILENT, UNDEFINED
from dpcore.comparison import BoundRow
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.code_panel import number, program
from pages.framework.layout.page import Page
from pages.framework.layout.section import Claim, Field, MovedSection, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.number_format import exact_text, format_down, format_input_up, format_nearest, format_up
from pages.framework.parameters.pin import Pin
from pages.gaussian_bounds import figures, text
from pages.gaussian_bounds.results import GaussianBoundsResult, compute_result
from pages.shared import guarantee_claims
from pages.shared.error_text import share
from pages.shared.formulas import THEORY, short_name, verdict
from pages.shared.guarantee_claims import Target
from pages.shared.libraries import DPCORE
from pages.shared.other_libraries import gaussian_sigma
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE
from pages.shared.site_map import GAUSSIAN_BOUNDS, PAPERS

_VIEWS = {"ratio": "Ratio to the minimum", "epsilon": "σ against ε", "delta": "σ against δ"}
VIEW = Choice("view", "view", _VIEWS | {"profile": "True δ of each σ"}, "ratio")
PINNED = Pin(retired_keys=("bound",))  # the bound that set the noise on a table of counts
PARAMETERS = (VIEW, PINNED)


def table_html(result: GaussianBoundsResult) -> str:
    """Return the bounds as an accessible HTML table; with a pinned setting, also σ as a multiple of the pinned σ."""
    setting, pinned_rows = result.setting, result.pinned and result.pinned.rows
    heads = ["Bound", "σ, query units", "Variance", f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [f"True δ at <span>ε = {format_input_up(setting.epsilon)}</span>"]
    heads += [f"True ε at <span>δ = {format_input_up(setting.delta)}</span>"]
    heads += ["μ", *(["σ ÷ pinned σ"] if pinned_rows is not None else []), "Verdict"]
    body = []
    for key, row in result.rows.items():
        mechanism = row.mechanism
        if key == CLASSICAL_TIGHT.key and result.has_one_classical:
            continue  # it differs from the row before it in the fourth digit, which the note below the picture says
        cells = ["–"] * 6
        if mechanism.status not in (SILENT, UNDEFINED):
            safe = format_down if mechanism.status == FLOOR else format_up
            cells = [safe(mechanism.scale), safe(mechanism.variance), safe(row.accuracy)]
            guarantee = (mechanism.true_delta, row.true_epsilon, row.mu)
            cells += ["–"] * 3 if mechanism.status == FLOOR else [format_up(value) for value in guarantee]
        if pinned_rows is not None:
            ratio = mechanism.scale / pinned_rows[key].mechanism.scale
            cells.append("–" if math.isnan(ratio) else format_nearest(ratio))
        judgement = verdict(row.calibration, mechanism.status, mechanism.true_delta, setting)
        body.append([short_name(row.calibration), *cells, judgement])
    return number_format.table_html("The bounds in numbers", "verdicts", heads, body)


_classical_limit = lru_cache(256)(comparison.classical_limit)  # of δ alone


def ratio(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of the σ of each bound over the σ that is required."""
    limit = _classical_limit(result.setting.delta)
    pinned = result.pinned and result.pinned.along_epsilon
    figure = figures.ratio_figure(result.along_epsilon, limit, result.setting, colours, pinned, result.pinned_setting)
    return _chart("ratio", result, figure, result.along_epsilon)


def profile(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of the true privacy profile of each σ."""
    failing = {key for key, row in result.rows.items() if row.mechanism.status == FAILS}
    ends, numbers = result.profile_ends, result.profiles(result.profile_ends)
    pinned = result.pinned and result.pinned.profiles(ends)
    figure = figures.profile_figure(numbers, failing, ends, result.setting, colours, pinned)
    return Exhibit("profile", figure, text.profile_alternative_text(result), numbers, result.csv_header)


def sigma_delta(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over δ."""
    pinned = result.pinned and result.pinned.along_delta
    figure = figures.sigma_figure(result.along_delta, "delta", result.setting, colours, pinned, result.pinned_setting)
    return _chart("sigma_delta", result, figure, result.along_delta)


def sigma_epsilon(result: GaussianBoundsResult, colours: Colours) -> Exhibit:
    """Return the chart of σ over ε."""
    pinned = result.pinned and result.pinned.along_epsilon
    figure = figures.sigma_figure(
        result.along_epsilon, "epsilon", result.setting, colours, pinned, result.pinned_setting
    )
    return _chart("sigma_epsilon", result, figure, result.along_epsilon)


def bounds(result: GaussianBoundsResult, _: Colours) -> Exhibit:
    """Return the table of the bounds in numbers, each with its verdict."""
    setting = result.setting

    def numbers() -> pd.DataFrame:
        return comparison.table(setting.epsilon, setting.delta, setting.l2_sensitivity, setting.significance)

    return Exhibit("bounds", table_html(result), text.alternative_text(result), numbers, result.csv_header)


def _chart(name: str, result: GaussianBoundsResult, figure: Figure, numbers: pd.DataFrame) -> Exhibit:
    return Exhibit(name, figure, text.alternative_text(result), numbers, result.csv_header)


def snippets(result: GaussianBoundsResult) -> tuple[Snippet, ...]:
    """Return programs that compute the answer of the page, the analytic σ and its ±."""
    setting, row = result.setting, result.rows["analytic"]
    code = program(
        "from dpcore import accuracy, gaussian",
        "",
        f"epsilon, delta, l2_sensitivity = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.l2_sensitivity)}",
        "sigma = gaussian.analytic_sigma(epsilon, delta, l2_sensitivity)",
        "print(sigma)",
        f"print(accuracy.gaussian_accuracy(sigma, {number(setting.significance)}))",
    )
    ours = Snippet(DPCORE, code, "σ, and ± at the significance level.", (row.mechanism.scale, row.accuracy))
    return ours, *gaussian_sigma(setting.epsilon, setting.delta, setting.l2_sensitivity, row.mechanism.scale)


def claims(result: GaussianBoundsResult) -> Iterator[Claim]:
    """Yield the σ of the answer as it is displayed and as it was computed, its ±, and the other bounds as displayed."""
    setting, (analytic, *others) = result.setting, result.rows.values()
    parameters = setting.epsilon, setting.delta, setting.l2_sensitivity
    sigma = exact_text(analytic.mechanism.scale)
    yield guarantee_claims.gaussian(guarantee_claims.displayed_target(*parameters), format_up(analytic.mechanism.scale))
    yield guarantee_claims.gaussian(guarantee_claims.computed_target(*parameters), sigma)
    yield guarantee_claims.half_width_claim(
        "gaussian", "σ", sigma, format_up(analytic.accuracy), format_input_up(setting.significance)
    )
    for row in others:
        if row.mechanism.status not in (SILENT, UNDEFINED):
            target = replace(guarantee_claims.displayed_target(*parameters), name=f"{short_name(row.calibration)}: ")
            yield from _bound_claims(row, target)


def _bound_claims(row: BoundRow, target: Target) -> Iterator[Claim]:
    """Yield the guarantee of a bound: that less noise violates it below the floor, and the true δ where σ fails."""
    notion = "pDP δ" if row.calibration.guarantee == PROBABILISTIC_DP else "δ"
    sigma = (format_down if row.mechanism.status == FLOOR else format_up)(row.mechanism.scale)
    yield guarantee_claims.gaussian(target, sigma, notion, violated=row.mechanism.status in (FAILS, FLOOR))
    if row.mechanism.status == FAILS:
        yield guarantee_claims.gaussian(target, sigma, delta_bound=format_up(row.mechanism.true_delta))


def answer_text(result: GaussianBoundsResult) -> tuple[str, ...]:
    """Return what the open picture answers: which σ is required, or which δ each σ really has."""
    return text.true_delta_answer(result) if result.view == "profile" else text.answer_text(result)


def parts(result: GaussianBoundsResult, colours: Colours) -> Iterator[Part]:
    """Yield the picture that is chosen, how the table is rounded, and the table."""
    lead = {"ratio": ratio, "epsilon": sigma_epsilon, "delta": sigma_delta, "profile": profile}
    yield lead[result.view](result, colours)
    yield text.notes_text(result)
    yield bounds(result, colours)


BOUNDS = Section[GaussianBoundsResult](
    key="bounds",
    name="Which bound",
    answer_text=answer_text,
    aim=THEORY,
    controls=lambda _: (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE, Field(VIEW, "Show")),
    parts=parts,
    exhibits=(ratio, sigma_delta, sigma_epsilon, profile, bounds),
    explanation=text.explanation_text,
    claims=claims,
    snippets=snippets,
    retired={
        "counts": "Tables of counts have a page of their own now, “A table”; this page opens at “Which bound” instead."
    },
    former={"profile": {VIEW.key: "profile"}},
)

PAGE = Page(
    GAUSSIAN_BOUNDS,
    PARAMETERS,
    compute_result,
    sections=(BOUNDS,),
    moved_sections={"pdp": MovedSection(PAPERS, "pdp")},
)
