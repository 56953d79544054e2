"""The section on the densities of both noises."""

from collections.abc import Iterator, Sequence

import pandas as pd

from dpcore import gaussian, laplace
from dpcore.calibrations import FAILS, Calibration
from pages.framework.chart.theme import layout, line, round_axis_end
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import format_nearest, format_up
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import code, text
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.figures import axis_title, noise_looks, pinned_look, truncated_line
from pages.laplace_gaussian.parameters import COMPARISON_FIELDS, FUNCTION, distance_parameters
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import LaplaceGaussianResult
from pages.laplace_gaussian.text import common_text, explanation_text, no_answer_text, pinned_text
from pages.shared.formulas import THEORY
from pages.shared.laplace_query import gaussian_name, sensitivity_parameters
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE


def density_figure(
    frame: pd.DataFrame,
    kind: str,
    pinned: pd.DataFrame | None,
    subtitle: str,
    gaussian: Calibration,
    colours: Colours,
) -> Figure:
    """Draw the densities (`kind` "pdf") or distribution functions ("cdf") of both noises, and those of a pin."""
    columns = [f"{key}_{kind}" for key in ("laplace", "gaussian")]
    frames = [frame] if pinned is None else [frame, pinned]
    highest = max(float(part.filter(like=f"_{kind}").to_numpy().max()) for part in frames)
    end = float(frame["x"].to_numpy()[-1])
    names = ("Density of the noise", "density") if kind == "pdf" else ("Distribution of the noise", "Pr(noise ≤ x)")
    x = {"range": [-end, end], "title": axis_title("noise (query units)")}
    x |= {"unifiedhovertitle": {"text": "noise = %{x:.4~g}"}}
    y = {"range": [0, round_axis_end(highest) if kind == "pdf" else 1], "title": axis_title(names[1])}
    figure = layout(colours, names[0], subtitle, x, y)
    traces = []
    if pinned is not None:
        pinned_lines = [line(pinned["x"], pinned[column], "pinned", "", "solid") for column in columns]
        traces += [trace | pinned_look(colours) | {"showlegend": trace is pinned_lines[0]} for trace in pinned_lines]
    traces += [
        line(frame["x"], frame[f"{key}_{kind}"], name, shade[0], shade[1], hovertemplate="%{y:.4~g}")
        for key, name, shade in noise_looks(gaussian, colours)
    ]
    if f"truncated_{kind}" in frame:
        traces.append(truncated_line(frame["x"].to_numpy(), frame[f"truncated_{kind}"].to_numpy(), colours))
    return {"data": traces, "layout": figure}


def densities(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the densities or the distribution functions of both noises."""
    if not result.has_answer:
        return None
    pinned, kind = result.answered_pinned and result.answered_pinned.densities, result.function
    figure = density_figure(result.densities, kind, pinned, text.scales_subtitle(result), result.calibration, colours)
    return Exhibit("density", figure, text.alternative_text(result), result.densities, text.csv_header(result))


_RATIO_AT_ZERO = float(laplace.pdf(0.0, 1.0) / gaussian.pdf(0.0, 1.0))  # of the densities, both of scale 1


def answer_text(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """Return the error within which half of the releases of each noise are, and how their densities differ."""
    if not result.has_answer:
        return no_answer_text(result.setting)
    setting, name = result.setting, gaussian_name(result.calibration)
    place = f"At {setting.guarantee_text}" if setting.hold == "epsilon" else f"With the {common_text(setting)}"
    half_laplace, half_gaussian = (format_up(noise.half_width(0.5)) for noise in result.noises)
    first = f"{place}, half of all errors are within ±{half_laplace} (Laplace noise) and ±{half_gaussian} ({name})."
    pinned = () if result.pinned is None else (pinned_text(result, result.pinned),)
    return first, _shapes_sentence(result), *pinned


def _shapes_sentence(result: LaplaceGaussianResult) -> str:
    """Return how much higher the density of Laplace noise is at 0, and which noise has the heavier tails."""
    ratio = format_nearest(_RATIO_AT_ZERO * (result.noises.gaussian.scale / result.noises.laplace.scale), 3)
    at_zero = "the same density at 0 as the Gaussian" if ratio == "1" else f"{ratio} times the Gaussian’s density at 0"
    if result.noises.gaussian.status == FAILS:
        return f"Laplace noise has {at_zero}, but this Gaussian violates its guarantee: do not use it."
    return f"Laplace noise has {at_zero}, but heavier tails; “Errors” compares them at your confidence."


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the densities."""
    own = *sensitivity_parameters(result.setting.case), *distance_parameters(result.setting)
    return EPSILON, DELTA, *own, SIGNIFICANCE, Field(FUNCTION, "Show")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the densities and the recommendation."""
    yield densities(result, colours)
    yield Fields(COMPARISON_FIELDS)
    yield recommendation_text(result) if result.has_answer else UNAVAILABLE["epsilon"]


SECTION = Section(
    controls=controls,
    parts=parts,
    key="density",
    name="Density",
    answer_text=answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(densities,),
    claims=code.claims,
    snippets=code.snippets,
)
