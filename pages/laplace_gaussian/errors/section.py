"""The section on how far the errors of both noises go."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace, laplace_gaussian
from dpcore.calibrations import DP, FAILS, LAPLACE
from dpcore.laplace_gaussian import NoisePair
from pages.framework.chart.theme import layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import exact_text, format_down, format_input_up, format_nearest, format_up
from pages.framework.parameters.number_format import table_html as accessible_table_html
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import code, figures, text
from pages.laplace_gaussian.crossover.section import UNAVAILABLE
from pages.laplace_gaussian.figures import axis_title, noise_looks, pinned_lines, truncated_line
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import (
    COMPARISON_FIELDS,
    FUNCTION,
    VIEW,
    LaplaceGaussianResult,
    LaplaceGaussianSetting,
    axis_end,
)
from pages.laplace_gaussian.text import common_text, explanation_text
from pages.shared import formulas
from pages.shared.formulas import THEORY, share, truncated_laplace_texts
from pages.shared.laplace_query import T, gaussian_name, sensitivity_parameters
from pages.shared.page_links import Link
from pages.shared.shared_parameters import DELTA, DRAWN, EPSILON, N_DRAWS, SEED, SIGNIFICANCE
from pages.shared.site_map import GENERALIZED_GAUSSIAN

ROUNDING = "Numbers have four digits: scale, variance, errors and ε are rounded up, tails to the nearest."


def verdict_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    """Return a mark and words: whether the Gaussian satisfies its guarantee, and how that is known."""
    if noises.gaussian.epsilon > 1e6:
        return "ε above 1e6: no meaningful privacy"
    return formulas.verdict(setting.calibration, noises.gaussian.status, noises.gaussian.true_delta, setting)


def table_html(result: LaplaceGaussianResult) -> str:
    """Return both noises in numbers as an accessible HTML table, beside the errors of a pinned setting."""
    setting, noises, errors = result.setting, result.noises, result.errors
    pinned_errors = result.answered_pinned and result.answered_pinned.errors
    heads = ["Noise", "Scale, query units", "Variance", "Mean |error|"]
    heads += [f"± for <span>{share(setting.significance)}</span> of releases"]
    heads += [*([] if pinned_errors is None else ["± pinned"]), "ε", "Guarantee", "Verdict"]
    first, second = (
        [format_up(error["variance"]), format_up(error["mean_error"]), format_up(error["accuracy"])] for error in errors
    )
    if pinned_errors is not None:
        first, second = (
            [*cells, format_up(error["accuracy"])] for cells, error in zip((first, second), pinned_errors, strict=True)
        )
    guarantee = f"{setting.calibration.guarantee}, δ = {format_input_up(setting.delta)}"
    epsilon = format_input_up(setting.epsilon) if setting.hold == "epsilon" else format_up(noises.gaussian.epsilon)
    scales = f"b = {format_up(noises.laplace.scale)}", f"σ = {format_up(noises.gaussian.scale)}"
    proof = format_input_up(setting.epsilon), LAPLACE.guarantee, "✓ proved, no δ"
    rows = [
        [LAPLACE.name, scales[0], *first, *proof],
        [setting.calibration.name, scales[1], *second, epsilon, guarantee, verdict_text(setting, noises)],
    ]
    rows += _single_number_rows(result, pinned_errors is not None)
    return accessible_table_html("Both noises in numbers", "verdicts", heads, rows)


def _single_number_rows(result: LaplaceGaussianResult, has_pin: bool) -> list[list[str]]:
    """Return the rows of truncated Laplace noise and of any noise, which are for one number."""
    setting, truncated, least = result.setting, result.truncated, result.least_errors
    if truncated is None or least is None:
        return []
    pin, guarantee = ["–"] if has_pin else [], f"{DP}, δ = {format_input_up(setting.delta)}"
    errors = laplace_gaussian.errors(truncated, setting.significance)
    tail = [format_input_up(setting.epsilon), guarantee]
    sizes = [format_up(errors[name]) for name in laplace_gaussian.MEASURES]
    floors = [f"≥ {format_down(least[name])}" if least[name] > 0 else "–" for name in laplace_gaussian.MEASURES]
    bound, scale = truncated_laplace_texts(result.epsilon, setting.delta, setting.l1)
    limit = f"the error never exceeds ±{bound}"
    verdict = f"✓ proved; {limit}; {formulas.NO_SAMPLER}"
    return [
        [truncated.name, f"A = {bound}, b = {scale}", *sizes, *pin, *tail, verdict],
        ["Any noise", "–", *floors, *pin, *tail, "a lower bound: no noise for one number has less"],
    ]


def noise_frame(result: LaplaceGaussianResult) -> pd.DataFrame:
    """Return the numbers of the table; those of any noise are lower bounds."""
    noises = list(result.noises)
    rows = [("laplace", noises[0].scale, result.errors[0]), ("gaussian", noises[1].scale, result.errors[1])]
    truncated, least = result.truncated, result.least_errors
    if truncated is not None and least is not None:
        errors = laplace_gaussian.errors(truncated, result.setting.significance)
        rows += [("truncated_laplace", truncated.scale, errors), ("any noise, at least", np.nan, least)]
    columns = {"noise": [row[0] for row in rows], "scale": [row[1] for row in rows]}
    columns |= {name: [row[2][name] for row in rows] for name in laplace_gaussian.MEASURES}
    return pd.DataFrame(columns)


def draws(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the histograms of seeded draws of both noises."""
    if not result.has_answer:
        return None
    seed = result.setting.seed
    subtitle = text.subtitle(result.setting, f"seed {seed:.0f}; dashed: ± of the answer")
    figure = figures.draws_figure(result, subtitle, colours)
    header = text.csv_header(result, seed=seed, draws=result.draws.drawn, all_draws=N_DRAWS)

    def numbers() -> pd.DataFrame:
        return pd.concat([result.draws.frame(), result.densities.filter(regex="^x$|_pdf$")], ignore_index=True)

    return Exhibit("draws", figure, text.alternative_text(result), numbers, header)


def tails(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the probability that each noise exceeds a distance."""
    if not result.has_answer:
        return None
    end = axis_end(result.noises, min(1e-6, result.setting.significance))  # of the longer tail
    numbers = result.tails(np.linspace(0, end, 301))
    figure = figures.tails_figure(result, numbers, text.scales_subtitle(result), colours)
    return Exhibit("tails", figure, text.alternative_text(result), numbers, text.csv_header(result))


def density(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the densities or the distribution functions of both noises, and those of a pinned setting."""
    if not result.has_answer:
        return None
    frame, kind = result.densities, result.function
    pinned = result.answered_pinned and result.answered_pinned.densities
    frames = [frame] if pinned is None else [frame, pinned]
    highest = max(float(part.filter(like=f"_{kind}").to_numpy().max()) for part in frames)
    end = float(frame["x"].to_numpy()[-1])
    names = ("Density of the noise", "density") if kind == "pdf" else ("Distribution of the noise", "Pr(noise ≤ x)")
    x = {"range": [-end, end], "title": axis_title("noise (query units)")}
    x |= {"unifiedhovertitle": {"text": "noise = %{x:.4~g}"}}
    y = {"range": [0, round_axis_end(highest) if kind == "pdf" else 1], "title": axis_title(names[1])}
    figure = layout(colours, names[0], text.scales_subtitle(result), x, y)
    columns = [f"laplace_{kind}", f"gaussian_{kind}"]
    traces = [] if pinned is None else pinned_lines(pinned, "x", columns, colours)
    for key, name, shade, dash in noise_looks(result, colours):
        traces.append(line(frame["x"], frame[f"{key}_{kind}"], name, shade, dash, hovertemplate="%{y:.4~g}"))
    if f"truncated_{kind}" in frame:
        traces.append(truncated_line(frame["x"].to_numpy(), frame[f"truncated_{kind}"].to_numpy(), colours))
    drawn = {"data": traces, "layout": figure}
    return Exhibit("density", drawn, text.alternative_text(result), frame, text.csv_header(result))


_RATIO_AT_ZERO = float(laplace.pdf(0.0, 1.0) / gaussian.pdf(0.0, 1.0))  # of the densities, both of scale 1


def density_text(result: LaplaceGaussianResult) -> str:
    """Return the error within which half of the releases of each noise are, and how their densities differ."""
    setting, name = result.setting, gaussian_name(result.setting.calibration)
    place = f"At {setting.guarantee_text}" if setting.hold == "epsilon" else f"With the {common_text(setting)}"
    half_laplace, half_gaussian = (format_up(noise.half_width(0.5)) for noise in result.noises)
    first = f"{place}, half of all errors are within ±{half_laplace} (Laplace noise) and ±{half_gaussian} ({name})."
    return f"{first} {_shapes_sentence(result)}"


def shapes_link_text(setting: LaplaceGaussianSetting) -> str:
    """Return a link to the densities of both shapes and of others, for one number at this setting."""
    if setting.l1 != setting.l2:
        return f"[Other shapes](./{GENERALIZED_GAUSSIAN.path}) lie between and beyond them."
    numbers = {"epsilon": setting.epsilon, "delta": setting.delta, "l2_sensitivity": setting.l2}
    entries = {key: exact_text(value) for key, value in (numbers | {"significance": setting.significance}).items()}
    shapes = Link(GENERALIZED_GAUSSIAN, "Shapes", entries | {"shapes": "1, 1.5, 2", "p": "1", "show": "shapes"})
    return f"{shapes.markdown} draws p = 1 (Laplace), p = 2 (Gaussian) and those between, all with (ε, δ)-DP."


def _shapes_sentence(result: LaplaceGaussianResult) -> str:
    """Return how much higher the density of Laplace noise is at 0, and which noise has the heavier tails."""
    ratio = format_nearest(_RATIO_AT_ZERO * (result.noises.gaussian.scale / result.noises.laplace.scale), 3)
    at_zero = "the same density at 0 as the Gaussian" if ratio == "1" else f"{ratio} times the Gaussian’s density at 0"
    if result.noises.gaussian.status == FAILS:
        return f"Laplace noise has {at_zero}, but this Gaussian violates its guarantee: do not use it."
    return f"Laplace noise has {at_zero}, but heavier tails; “Tails” compares them at your confidence."


def noise_table(result: LaplaceGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of both noises."""
    if not result.has_answer:
        return None
    numbers, header = partial(noise_frame, result), text.csv_header(result)
    return Exhibit("noises", table_html(result), text.alternative_text(result), numbers, header)


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the tails and the densities."""
    setting = result.setting
    distance = (T,) if setting.hold == "tail" else ()  # at which both noises have the same tail
    return EPSILON, DELTA, *sensitivity_parameters(setting.case), *distance, Field(VIEW, "Show")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the tails, or the densities with draws, the table of both noises, and the recommendation."""
    if result.view == "tails":
        picture, own = tails, ()
    else:
        picture, own = (density, (FUNCTION,)) if result.function == "cdf" else (draws, (FUNCTION, SEED, DRAWN))
    yield picture(result, colours)
    yield Fields((*COMPARISON_FIELDS, SIGNIFICANCE, *own))
    shapes = f" {density_text(result)}" if result.has_answer and result.view == "draws" else ""
    yield f"{text.sensitivities_text(result.setting)}{shapes} {shapes_link_text(result.setting)}"
    if not result.has_answer:
        yield UNAVAILABLE["epsilon"]
        return
    yield noise_table(result, colours)
    yield ROUNDING
    yield text.GUARANTEES
    yield recommendation_text(result)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="reach",
    name="Errors",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(draws, tails, density, noise_table),
    claims=code.claims,
    snippets=code.snippets,
    former={"density": {VIEW.key: "draws"}},
)
