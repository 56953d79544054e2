"""The section on several quantiles."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from dpcore import linear_queries
from dpcore.mechanism import NoiseDistribution
from pages.framework.chart.theme import decades, layout, line, log_axis
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.downloads import Downloads
from pages.framework.layout.section import Claim, Conditions, Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import chart_text, exact_text, format_input_up, percent
from pages.framework.parameters.parameter import Parameter
from pages.median.conditions import conditions_of_range
from pages.median.parameters import HIGH, LOW, MEDIAN, N_RECORDS, P90, QUANTILES, QUANTILES_HELP, UNIT
from pages.median.quantile.text import values_text
from pages.median.results import MedianResult
from pages.median.several import text
from pages.median.several.results import N_DRAWS, SEED, SeveralResult
from pages.shared.counts.parameters import NEIGHBOURS
from pages.shared.formulas import SAMPLER
from pages.shared.libraries import DIFFPRIVLIB, DPCORE, PEERS
from pages.shared.release_program.program import release_downloads
from pages.shared.release_program.series_plan import series_statistic
from pages.shared.shared_parameters import EPSILON, SIGNIFICANCE
from pages.shared.values.parameters import SHAPE, SOURCE_FIELD

_LOOKS = {
    "single": ("analytic", "solid"),
    "recursive": ("orange", "dash"),
    "histogram": ("green", "dashdot"),
    "alone": ("quiet", "dot"),
}
_SINGLE = "It releases quantiles one by one: see the section on one quantile, with ε/m for each."
_REASON_READ = "Laplace noise on sums satisfies ε-DP, and so does all that is read off them: both are theorems."
_REASON = "Each density changes by at most its factor: that is a theorem; what is enclosed are probabilities on steps."


def quantiles_figure(several: SeveralResult, unit: str, subtitle: str, colours: Colours) -> Figure:
    """Draw the ± of each quantile by method."""
    frame = several.frame
    names = [name for name in text.NAMES if name in frame]
    errors = frame[names].to_numpy()
    y = log_axis(f"± ({chart_text(unit)})", *decades(99, -99, float(errors.min()), float(errors.max())))
    x: dict[str, Any] = {"range": [0, 1], "title": {"text": "quantile"}}
    figure = layout(colours, "The errors of several quantiles", subtitle, x, y)
    traces = [
        line(frame["quantile"], frame[name], text.NAMES[name], colours[_LOOKS[name][0]], _LOOKS[name][1])
        | {"mode": "lines+markers", "hovertemplate": "±%{y:.4~g}"}
        for name in names
    ]
    return {"data": traces, "layout": figure}


def quantiles_chart(result: MedianResult, colours: Colours) -> Exhibit | None:
    """Return the chart of the errors of the quantiles."""
    if text.several_problem(result):
        return None
    several, subtitle = result.several, chart_text(values_text(result))
    figure = quantiles_figure(several, result.setting.unit, subtitle, colours)
    alternative = text.quantiles_alternative(several)
    return Exhibit("quantiles", figure, alternative, several.frame, csv_header(result), ("", ""), result.confidential)


def quantiles_table(result: MedianResult, _: Colours) -> Exhibit | None:
    """Return the table of the errors of the quantiles."""
    if text.several_problem(result):
        return None
    several = result.several
    html, alternative = text.quantiles_html(several), text.quantiles_alternative(several)
    return Exhibit(
        "quantiles_table", html, alternative, several.frame, csv_header(result), ("", ""), result.confidential
    )


def csv_header(result: MedianResult) -> dict[str, str]:
    """Return the parameters and units for the top of a CSV."""
    setting = result.setting
    keys = ("epsilon", "significance", "low", "high", "neighbours", "unit")
    keys += () if setting.is_own else ("shape", "median", "p90", "n_records")
    entries = {key: str(getattr(setting, key)) for key in keys}
    levels = ", ".join(map(exact_text, result.several.levels))
    entries |= {"histogram_parts": str(result.several.n_parts)} if result.several.has_draws else {}
    return entries | {"quantiles": levels, "units": "values and errors in the unit of the values; epsilon in nats"}


def controls(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the values, the quantiles, the range and ε."""
    if result.has_no_values:
        return (SOURCE_FIELD,)
    figures = () if result.setting.is_own else (MEDIAN, N_RECORDS)
    return SOURCE_FIELD, *figures, Field(QUANTILES, "Quantiles", QUANTILES_HELP), HIGH, EPSILON


def more_settings(result: MedianResult) -> Sequence[Field | Parameter]:
    """Return the parameters that are seldom changed."""
    if result.has_no_values:
        return ()
    shape = () if result.setting.is_own else (P90, Field(SHAPE, "Shape of the values"))
    return (*shape, LOW, Field(NEIGHBOURS, "Neighbours"), SIGNIFICANCE, Field(UNIT, "Unit"))


def several_conditions(result: MedianResult) -> Conditions | None:
    """Return the conditions of the quantiles; None without an answer."""
    return None if text.several_problem(result) else conditions_of_range(result)


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program of the noisy histogram, where that is the best method; None where own values chose it."""
    setting = result.setting
    if text.several_problem(result) or setting.is_own or result.several.best_method != "histogram":
        return None
    several, alpha = result.several, setting.significance
    errors = several.strategy
    scale = linear_queries.noise_scale(errors, setting.epsilon)
    half_widths = several.frame["histogram"].to_list()
    noise = NoiseDistribution("laplace", (scale,), scale)
    statistic = series_statistic("Quantiles", errors, noise, max(half_widths), alpha, alpha)
    if statistic is None:
        return None
    assumed = f"for values as assumed ({values_text(result).partition(', ')[2]})"
    quantiles = replace(
        statistic,
        kind="quantiles",
        level=f"each quantile is beyond its ± in at most {percent(alpha)} of releases, {assumed}",
        unit=setting.unit,
        low=setting.low,
        high=setting.high,
        levels=several.levels,
        half_widths=tuple(half_widths),
    )
    guarantee = setting.epsilon, 0.0
    return release_downloads(
        (quantiles,), guarantee, setting.neighbours, several_conditions(result), lambda: text.several_statements(result)
    )


def claims(result: MedianResult) -> Iterator[Claim]:
    """Yield why the guarantee is not enclosed."""
    if not text.several_problem(result):
        reason = _REASON_READ if result.several.best_method == "histogram" else _REASON
        yield Claim(f"δ({format_input_up(result.setting.epsilon)}) of all quantiles together", reason=reason)


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the program of the errors of quantiles by the best method."""
    if text.several_problem(result):
        return ()
    setting, several = result.setting, result.several
    levels = ", ".join(map(number, several.levels))
    if setting.is_own:
        values, printed = "[12.0, 15.0, 30.0]  # your own", ()
    else:
        values, printed = (
            "people.quantile((np.arange(people.n) + 0.5) / people.n)",
            (several.largest_errors[several.best_method],),
        )
    alpha, neighbours = number(setting.significance), repr(setting.neighbours)
    options = {"single": f"0.0, {alpha}, {neighbours}", "recursive": f"{alpha}, {N_DRAWS}"}
    if several.has_draws:
        options["histogram"] = f"{alpha}, {several.n_parts}, 0.0, {neighbours}, {N_DRAWS}"
    source = "" if several.best_method == "single" else f"np.random.default_rng({SEED}), "
    name, (first, second) = setting.people.name, setting.people.parameters
    code = program(
        "import numpy as np",
        "from dpcore import clipping, quantiles",
        "",
        f"people = clipping.{name}({number(first)}, {number(second)}, {setting.people.n})",
        f"values = {values}",
        f"levels, ends = [{levels}], ({number(setting.low)}, {number(setting.high)})",
        f"options = {options[several.best_method]}",
        f"known = {source}values, levels, {number(setting.epsilon)}, *ends",
        f"print(max(quantiles.{several.best_method}_half_widths(*known, *options)))",
    )
    own = Snippet(
        DPCORE, code, f"The largest ± of quantiles that are released {text.NAMES[several.best_method]}.", printed
    )
    others = dict.fromkeys((peer for peer in PEERS if peer != DIFFPRIVLIB), _SINGLE)
    return own, _diffprivlib_snippet(result), *unavailable(others)


def _diffprivlib_snippet(result: MedianResult) -> Snippet:
    """Return the release with diffprivlib, which states no error."""
    setting = result.setting
    levels = ", ".join(map(number, result.several.levels))
    code = program(
        "from diffprivlib import tools",
        "",
        "values = [12.0, 15.0, 30.0]  # your own",
        f"levels, bounds = [{levels}], ({number(setting.low)}, {number(setting.high)})",
        f"print(*tools.quantile(values, levels, epsilon={number(setting.epsilon)}, bounds=bounds))",
    )
    note = (
        f"It draws each by itself with ε/{len(result.several.levels)}, any number of the range, with the noise for a "
        "person who is replaced, and states no error."
    )
    return Snippet(DIFFPRIVLIB, code, note)


def parts(result: MedianResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors of the quantiles, as a picture and as a table."""
    if text.several_problem(result):
        return
    yield quantiles_chart(result, colours)
    yield text.several_steps_text(result)
    yield text.method_note(result)
    yield Fold((quantiles_table(result, colours),), "The quantiles in numbers")
    yield Fold((SAMPLER,), "How to draw the noise")


SECTION = Section[MedianResult](
    key="several",
    name="Several quantiles",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    conditions=several_conditions,
    exhibits=(quantiles_chart, quantiles_table),
    claims=claims,
    snippets=snippets,
    statements=text.several_statements,
    has_statements=lambda result: not text.several_problem(result),
    downloads=downloads,
)
