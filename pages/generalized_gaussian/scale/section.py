"""The section on how much noise each guarantee requires."""

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from dpcore.calibrations import GENERALIZED_GAUSSIAN
from dpcore.checks import Array
from pages.framework.chart.theme import coincide, compact, hairline, layout, line, log_axis, markers, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.number_format import (
    capitalized,
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
)
from pages.framework.parameters.parameter import Parameter
from pages.generalized_gaussian import cached_results, code, parameters
from pages.generalized_gaussian.densities.section import paper_text
from pages.generalized_gaussian.grids import N_SIMULATED_POINTS, SYMBOLS, parameter_axis
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.generalized_gaussian.text import csv_header, explanation_text, parameters_text, setting_text
from pages.shared.bounded_noise import P
from pages.shared.formulas import BASIS, SAMPLER, THEORY, share
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SEED, SIGNIFICANCE


def required_sizes(result: GeneralizedGaussianResult) -> dict[str, float]:
    """Return the chosen size of the noise at the setting, by guarantee; of several statistics at `required_shape`."""
    setting, p = result.setting.curve_setting, required_shape(result)
    if setting.statistic_sensitivities:
        curves = result.curves("p") if _is_over_shapes(result) else None
        frame = result.several_statistics(p=p) if curves is None else curves["several"]
        return {"several": float(frame.loc[frame["p"] == p, setting.size].to_numpy()[0])}
    fixed = {"sensitivity": setting.l2_sensitivity, "significance": setting.significance}
    frames = {
        calibration.key: cached_results.size_curve(calibration, setting.epsilon, setting.delta, p, **fixed)
        for calibration in setting.calibrations
    }
    return {key: float(frame[setting.size].to_numpy()[0]) for key, frame in frames.items()}


def required_shape(result: GeneralizedGaussianResult) -> float:
    """Return the p of `required_sizes`: 2 where a point of several statistics that is not drawn takes too long."""
    is_slow = result.setting.statistic_sensitivities and result.is_thinned and not _is_over_shapes(result)
    return 2.0 if is_slow else result.setting.p


def _is_over_shapes(result: GeneralizedGaussianResult) -> bool:
    return result.setting.against == "p" and "p" in result.grids


GUARANTEE_NAMES = {rule.key: rule.name for rule in GENERALIZED_GAUSSIAN} | {"several": "Proposition 8"}
CURVES = (
    "Each curve is the least noise that a guarantee requires: (ε, δ)-DP, or probabilistic DP (pDP: the privacy loss "
    "exceeds ε with probability at most δ), which never requires less. "
    "Corollary 9 is the paper’s bound for pDP, without a simulation."
)


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return the size of the noise that each guarantee requires, and what has changed since a pin."""
    setting, sizes = result.setting.curve_setting, required_sizes(result)
    pinned = () if result.pinned is None else (_comparison_text(result, result.pinned),)
    size = "a " + measure_name(setting).replace(" ±", "")
    place = f"At {parameters_text(setting, without='p sensitivity')}"
    p = f"p = {format_input_up(required_shape(result))}"
    if "several" in sizes:
        n = len(setting.statistic_sensitivities)
        required = "one statistic requires" if n == 1 else f"{n} statistics together require"
        sentence = f"{place}, {required} {size} of {format_up(sizes['several'])} for pDP ({p})."
        return sentence, _signs_sentence(result), *pinned
    first = f"{place}, {p} requires {size} of {format_up(sizes['adp'])} for (ε, δ)-DP"
    if "exact_pdp" not in sizes:
        return f"{first}.", "Probabilistic DP (pDP) has no answer at so small an ε.", *pinned
    exact, published = format_up(sizes["exact_pdp"]), format_up(sizes["disjoint"])
    if exact == published:
        second = "Corollary 9, the paper’s bound for pDP, requires no more than the exact scale of pDP"
    else:
        second = f"Corollary 9, the paper’s bound for pDP, gives {published}: the exact scale of pDP is enough"
    return f"{first}, {exact} for pDP.", f"{second}.", *pinned


def _signs_sentence(result: GeneralizedGaussianResult) -> str:
    """Return what the signs of the noise of several statistics would save."""
    unsigned, signed = format_up(result.several_gaussian), format_up(result.signed_gaussian)
    if unsigned == signed:
        return (
            f"At p = 2 the scale is b = {signed}, by Proposition 8 as by Proposition 11, which uses the signs of the"
            " noise."
        )
    return (
        f"Proposition 8 drops the signs of the noise: at p = 2 it requires b = {unsigned}, where b = {signed} is enough"
        " (Proposition 11)."
    )


def _comparison_text(result: GeneralizedGaussianResult, pinned: GeneralizedGaussianResult) -> str:
    """Return how the size that the first guarantee requires has changed since the pinned setting."""
    (old, *_), (new, *_) = (required_sizes(compared).values() for compared in (pinned, result))
    measure = measure_name(result.setting)
    return pin_sentence(f"{measure} {format_up(old)} → {format_up(new)}", setting_text(pinned.setting))


def measure_name(setting: GeneralizedGaussianSetting) -> str:
    """Return the name of the size that the curves show."""
    names = {"scale": "scale b", "deviation": "standard deviation", "mean_error": "mean error"}
    return names.get(setting.size, f"half-width ± ({share(setting.significance)})")


def statistics_text(result: GeneralizedGaussianResult) -> str:
    """Return what the curves are and, for several statistics, what the signs of the noise would save at p = 2."""
    setting = result.setting.curve_setting
    if not setting.statistic_sensitivities:
        return CURVES
    n = len(setting.statistic_sensitivities)
    how_many = "one statistic" if n == 1 else f"{n} statistics together"
    note = (
        f" Instead of ε = {format_input_up(result.setting.epsilon)} it is solved for {format_nearest(setting.epsilon)}."
    )
    return (
        f"For {how_many} the paper’s Proposition 8 gives one b to all, for probabilistic DP; the exact scales and "
        "Corollary 9 are for one statistic. Proposition 11, for p = 2, uses the signs of the noise; here its Δ₂ is"
        f" {format_up(result.l2_sensitivity)}."
        f"{note if setting.epsilon > result.setting.epsilon else ''}{thinning_text(result)}"
    )


def thinning_text(result: GeneralizedGaussianResult) -> str:
    """Return which curves or points are left out as they would take too long."""
    if not result.is_thinned:
        return ""
    if not result.grids:
        return " Each point takes long here: the curves are left out."
    missing = " and ".join(symbol for key, symbol in SYMBOLS.items() if key not in result.grids)
    sentence = " Each point takes long here, so the curves have fewer than usual"
    return f"{sentence}, and over {missing} there is none." if missing else f"{sentence}."


def sensitivities_text(values: tuple[float, ...]) -> str:
    """Return sensitivities separated by commas.

    >>> sensitivities_text((1.0, 0.1))
    '1, 0.1'
    """
    return ", ".join(format_input_down(value) for value in values)


def draws_text(result: GeneralizedGaussianResult) -> str:
    """Return the draws of a simulated point, where they are too few, and whether points are left out."""
    n, points = result.setting.draws, result.setting.simulated_points
    if result.setting.monte_carlo == "off":
        return ""
    sentence = f"{n:,.0f} draws a point."
    if len(points) < N_SIMULATED_POINTS:
        sentence += (
            f" They see no δ below {format_up(10 / n)} or above {format_down(1 - 10 / n)}, where fewer than ten of them"
            " would violate the guarantee, or satisfy it: such points are left out."
        )
    if len(result.simulated_points) < len(points):
        sentence += (
            f" Only {len(result.simulated_points)} of {len(points)} points are drawn, as all would take too long."
        )
    return sentence


def subtitle(setting: GeneralizedGaussianSetting, x: str) -> str:
    """Return the parameters of a scale curve over p, ε or δ."""
    if not setting.statistic_sensitivities:
        return parameters_text(setting, without=x)
    return (
        f"{parameters_text(setting, without=f'{x} sensitivity')}; Δ ="
        f" {sensitivities_text(setting.statistic_sensitivities)}"
    )


def numbers_frame(curves: dict[str, pd.DataFrame], simulated: pd.DataFrame | None) -> pd.DataFrame:
    """Return the numbers of the curves of every guarantee, then of the simulated points."""
    parts = [frame.assign(guarantee=key) for key, frame in curves.items()]
    return pd.concat([*parts, *([] if simulated is None else [simulated.assign(guarantee="Monte Carlo")])])


def alternative_text(curves: dict[str, pd.DataFrame], x: str, setting: GeneralizedGaussianSetting) -> str:
    """Return the text alternative of a scale curve, from its first point to its last."""
    over, sentences = SYMBOLS[x], []
    for key, frame in curves.items():
        (start, end), (first, last) = (frame[column].to_numpy()[[0, -1]] for column in (x, setting.size))
        sentences.append(
            f"{GUARANTEE_NAMES[key]} goes from {format_nearest(first)} at {over} = {format_nearest(start)} to"
            f" {format_nearest(last)} at {over} = {format_nearest(end)}"
        )
    return f"The {measure_name(setting)} against {over}: {'; '.join(sentences)}."


def csv_header_of_curves(result: GeneralizedGaussianResult) -> dict[str, Any]:
    """Return the parameters for the top of a CSV of the scale curves; those that vary are columns."""
    setting = result.setting.curve_setting
    if not setting.statistic_sensitivities:
        return csv_header(result, guarantee="a column; adp is (ε, δ)-DP, exact_pdp and disjoint (Corollary 9) are pDP")
    draws = {"draws": int(setting.draws), "seed": int(setting.seed)} if setting.monte_carlo == "on" else {}
    sensitivities = ", ".join(repr(sensitivity) for sensitivity in setting.statistic_sensitivities)
    source = "(ε, δ)-pDP, Liu 2019, Proposition 8"
    return csv_header(
        result,
        epsilon=repr(setting.epsilon),
        guarantee=source,
        l2_sensitivity=f"one for each statistic: {sensitivities}",
        **draws,
    )


_STYLES = {
    "adp": ("purple", "solid"),
    "exact_pdp": ("exact_pdp", "dashdot"),
    "disjoint": ("pdp", "dash"),
    "several": ("purple", "solid"),
}


def _size_over(result: GeneralizedGaussianResult, colours: Colours, *, x: str) -> Exhibit | None:
    """Return the noise that each guarantee requires over p, ε or δ (`x`), a curve each, and simulated points.

    The curves of a pinned setting are grey. Corollary 9 has no curve of its own where none could be seen. There is
    nothing where the curves take too long.
    """
    setting, curves, simulated = result.setting.curve_setting, result.curves(x), result.simulated_sizes(x)
    if curves is None:
        return None
    key, names, drawn = setting.size, dict(GUARANTEE_NAMES), curves
    values = np.concatenate([frame[key].to_numpy() for frame in curves.values()])
    values = values[np.isfinite(values) & (values > 0)]
    low, high = math.floor(math.log10(values.min())), math.ceil(math.log10(values.max()))
    y_axis = log_axis(f"{measure_name(setting)} (query units)", low, max(high, low + 1))
    x_axis = parameter_axis(x, next(iter(curves.values()))[x].to_numpy())
    title = f"{capitalized(measure_name(setting))} against {SYMBOLS[x]}"
    figure = layout(colours, title, subtitle(setting, x), x_axis, y_axis)
    pinned_curves = (result.pinned and result.pinned.curves(x)) or {}
    traces = [pinned_curve(frame[x], _finite(frame[key]), colours) for frame in pinned_curves.values()]
    pair = [curves[rule][key].to_numpy() for rule in ("disjoint", "exact_pdp") if rule in curves]
    if len(pair) == 2 and coincide(*pair):
        names["exact_pdp"] = f"{names['exact_pdp']}, {names['disjoint']}"
        drawn = {guarantee: frame for guarantee, frame in curves.items() if guarantee != "disjoint"}
    for guarantee, frame in drawn.items():
        shade, dash = _STYLES[guarantee]
        look = names[guarantee], colours[shade], dash
        traces.append(line(frame[x], _finite(frame[key]), *look, hovertemplate="%{y:.4~g}"))
        if guarantee == "several":
            traces[-1] |= {"mode": "lines+markers", "marker": {"size": 5, "color": colours[shade]}}
            traces[-1]["line"]["shape"] = "spline"
    if simulated is not None and len(simulated):
        error = {"type": "data", "array": compact(2 * simulated[f"{key}_error"]), "thickness": 1.5, "width": 5}
        marker, more = {"color": colours["text"], "size": 7, "symbol": "diamond"}, {"hovertemplate": "%{y:.4~g}"}
        name = "Monte Carlo ± 2 s.e."
        traces.append(markers(simulated[x], simulated[key], name, marker, error_y=error, **more))
    value = getattr(setting, x)
    hairline(figure, colours, value, f"{SYMBOLS[x]} = {format_input_up(value)}", x)
    numbers, alternative = partial(numbers_frame, curves, simulated), alternative_text(curves, x, setting)
    picture = {"data": traces, "layout": figure}
    return Exhibit(f"size_{x}", picture, alternative, numbers, csv_header_of_curves(result), (x, ""))


def _finite(sizes: ArrayLike) -> Array:
    values = np.asarray(sizes, np.float64)
    return np.where(np.isfinite(values), values, np.nan)


_EXHIBITS = {x: partial(_size_over, x=x) for x in SYMBOLS}


def controls(result: GeneralizedGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the curves."""
    sensitivities = Field(parameters.SENSITIVITIES, "Δ · of each statistic", parameters.SENSITIVITIES_HELP)
    sensitivity = {"one": (L2_SENSITIVITY,), "three": (), "own": (sensitivities,)}[result.setting.statistics]
    return EPSILON, DELTA, P, *sensitivity, Field(parameters.AGAINST, "Horizontal axis")


def parts(result: GeneralizedGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the size of the noise over p, ε or δ, and the sentences on several statistics."""
    setting = result.setting
    yield _EXHIBITS[setting.against](result, colours)
    level = (SIGNIFICANCE,) if setting.size == "accuracy" else ()
    yield Fields((Field(parameters.SIZE, "Size"), Field(parameters.STATISTICS, "Statistics"), *level))
    if setting.statistic_sensitivities:
        draws = (parameters.DRAWS, SEED) if setting.monte_carlo == "on" else ()
        yield Fields((Field(parameters.MONTE_CARLO, "The paper’s Monte Carlo"), *draws))
    yield f"{statistics_text(result)} {paper_text(result)}\n\n{BASIS}\n\n{SAMPLER}"
    yield draws_text(result) if setting.statistic_sensitivities else None


SECTION = Section(
    controls=controls,
    parts=parts,
    key="size",
    name="How much noise",
    answer_text=answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=code.scale_claims,
    snippets=code.noise_snippets,
)
