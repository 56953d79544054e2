"""The section on Liu's Figs. 4 and 5: the ratio of both tails, and the cost of the same tail, for several δ."""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd

from dpcore import gaussian, laplace
from dpcore.calibrations import FAILS, LAPLACE, WITHIN
from dpcore.checks import Array
from pages.framework.chart.theme import decades, layout, line, log_axis, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit, Figure
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Field, Fields, Part, Section, Snippet
from pages.framework.parameters.number_format import (
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    tex,
)
from pages.papers.parameters import CUTOFF
from pages.papers.results import PapersResult, TailsResult, TailsSetting
from pages.shared.laplace_query import (
    CASE,
    GAUSSIAN,
    T,
    gaussian_name,
    no_laplace_text,
    sensitivity_pair,
    sensitivity_parameters,
    sensitivity_text,
)
from pages.shared.looks import LOOKS
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import Link
from pages.shared.shared_parameters import DELTA, DELTAS, DELTAS_HELP, EPSILON
from pages.shared.site_map import LAPLACE_GAUSSIAN
from pages.shared.status_lines import distance_axis, mark_distance

RATIOS_ALTERNATIVE_TEXT = (
    "Laplace’s tail divided by the Gaussian’s at the same ε, over the distance, a curve for each δ. Each curve starts "
    "at 1 and eventually grows without bound; above 1, Laplace noise exceeds that distance more often."
)
COSTS_ALTERNATIVE_TEXT = (
    "The ε at which the Gaussian has Laplace’s tail, divided by Laplace’s ε, over the distance, a curve for each δ. It "
    "falls with the distance and with δ; above 1 the Gaussian needs a larger ε for the same tail."
)
_MANY, _NEVER = 1e6, 1e-300


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return which noise exceeds t more often at the same ε, and the ε that the same tail requires."""
    tails = result.tails
    if not tails.has_answer:
        return no_laplace_text(tails.setting.epsilon)
    sentences = _ratio_sentence(tails), _cost_sentence(tails)
    pinned = result.pinned and result.pinned.tails
    return sentences if pinned is None else (*sentences, _comparison_text(tails, pinned))


def _ratio_sentence(tails: TailsResult) -> str:
    setting, (laplaces, gaussians) = tails.setting, tails.tails
    name, place = gaussian_name(setting.calibration), f"At {setting.guarantee_text}"
    distance = f"±{format_input_up(setting.t)}"
    if max(laplaces, gaussians) < _NEVER:
        return (
            f"{place} neither noise exceeds {distance} more often than once in {format_nearest(1 / _NEVER)} releases."
        )
    names = ("Laplace noise", f"the {name}") if laplaces >= gaussians else (f"the {name}", "Laplace noise")
    low, high = sorted((laplaces, gaussians))
    if format_nearest(high) == format_nearest(low):
        return f"{place} Laplace noise and the {name} exceed {distance} equally often."
    ratio = format_nearest(high / low, 3)
    times = "about" if ratio == "1" else f"about {ratio} times"
    if high > _MANY * low:
        times = f"more than {_MANY:,.0f} times"
    return f"{place} {names[0]} exceeds {distance} {times} as often as {names[1]}."


def _cost_sentence(tails: TailsResult) -> str:
    setting, cost = tails.setting, tails.cost
    if setting.t == 0:
        return "Every draw lies beyond 0, so both tails are 1 there, at every ε."
    gaussian_text = "A Gaussian with Laplace’s tail at this distance"
    if cost == 0:
        return f"{gaussian_text} satisfies ε = 0 at this δ (Figure 5)."
    times = f"more than {_MANY:,.0f}" if math.isinf(cost) or cost > _MANY else format_up(cost)
    return f"{gaussian_text} requires {times} times Laplace’s ε (Figure 5)."


def _comparison_text(tails: TailsResult, pinned: TailsResult) -> str:
    """Return what has changed since the pinned setting."""
    if not pinned.has_answer:
        return pin_sentence(f"at ε = {format_input_up(pinned.setting.epsilon)} Laplace noise has no answer")
    names = "Laplace", gaussian_name(tails.setting.calibration)
    changes = (
        f"{name} {format_nearest(before, 3)} → {format_nearest(after, 3)}"
        for name, before, after in zip(names, pinned.tails, tails.tails, strict=True)
    )
    return pin_sentence(f"probability beyond t: {', '.join(changes)}", setting_text(pinned.setting))


def status_text(tails: TailsResult) -> str:
    """Return that the formula is not proved at the ε of the same tail, and the true ε there; else nothing."""
    setting, cost = tails.setting, tails.cost
    if setting.t == 0 or not 0 < cost <= _MANY:
        return ""
    rule = setting.calibration
    verdict = rule.verdict(cost * setting.epsilon, setting.delta, setting.l2)
    if verdict.status not in (FAILS, WITHIN):
        return ""
    least = float(gaussian.epsilon_from_sigma(setting.delta, verdict.scale, setting.l2))
    status = "too small" if verdict.status == FAILS else "not proved"
    return (
        f"**The formula of the {gaussian_name(rule)} is {status} at that ε.** Noise with this tail has"
        f" {format_up(least / setting.epsilon)} times Laplace’s ε."
    )


def recommendation_text(setting: TailsSetting) -> str:
    """Return which conclusion the figures allow, and the page that recommends a noise."""
    keys = ("epsilon", "delta", "l2_sensitivity", "k", "l1_sensitivity")
    entries = {key: exact_text(getattr(setting, key)) for key in keys} | {"case": setting.case}
    return (
        "**What to do.** A tail compares both noises at one distance only, and the guarantees differ: Laplace noise "
        "satisfies pure ε-DP, the Gaussian needs a δ. Which noise to add, by variance, mean error or ±: "
        f"{Link(LAPLACE_GAUSSIAN, LAPLACE_GAUSSIAN.name, entries).markdown}."
    )


def setting_text(setting: TailsSetting) -> str:
    """Return a setting in one line."""
    name = gaussian_name(setting.calibration)
    return f"{setting.guarantee_text}, {sensitivity_pair(setting)}, {name}, t = {format_input_up(setting.t)}"


def subtitle(tails: TailsResult) -> str:
    """Return the parameters of a picture."""
    setting = tails.setting
    cutoff = f"grey: probability below {format_input_up(setting.cutoff)}"
    return f"{setting.guarantee_text}, {sensitivity_pair(setting)}; {setting.calibration.name}; {cutoff}"


_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot", "6px,2px")
_STRENGTHS = (0.4, 0.52, 0.64, 0.76, 0.88, 1.0)


def _curves_figure(
    result: PapersResult,
    frames: tuple[pd.DataFrame, pd.DataFrame | None],
    column: str,
    ends: tuple[int, int],
    names: tuple[str, str],
    colours: Colours,
) -> Figure:
    """Draw a column over |t| for every δ, grey where it is unlikely, with a line at 1 and the distance of the setting.

    `frames` are those of the list of δ and of a pinned setting, and `names` the title and the label of the axis.
    """
    (frame, pinned), setting = frames, result.tails.setting
    t, value, unlikely = (frame[name].to_numpy() for name in ("t", column, "unlikely"))
    axes = distance_axis(float(t[-1])), log_axis(names[1], *ends)
    figure = layout(colours, names[0], subtitle(result.tails), *axes)
    traces = []
    if pinned is not None:
        curve = pinned_curve(pinned["t"], _near_axis(pinned[column].to_numpy(), *ends), colours)
        traces.append(curve | {"showlegend": True})
    deltas = list(dict.fromkeys(frame["delta"]))
    size = t.size // len(deltas)
    for place, delta in enumerate(deltas):
        part = slice(place * size, (place + 1) * size)
        strength = _STRENGTHS[round(place * (len(_STRENGTHS) - 1) / max(len(deltas) - 1, 1))]
        name, shade, dash = f"δ = {format_input_up(delta)}", colours[setting.calibration.key], _DASHES[place]
        visible, grey = _near_axis(value[part], *ends), unlikely[part]
        strong = {"opacity": strength, "hovertemplate": "%{y:.4~g}"}
        weak = {"showlegend": False, "hoverinfo": "skip"}
        traces.append(line(t[part], np.where(grey, np.nan, visible), name, shade, dash, **strong))
        traces.append(line(t[part], np.where(grey, visible, np.nan), name, colours["ghost"], dash, **weak))
    reference = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "y0": 1, "y1": 1}
    figure["shapes"].append(reference | {"line": {"color": colours["text"], "width": 1}})
    mark_distance(figure, colours, setting.t)
    return {"data": traces, "layout": figure}


def _near_axis(value: Array, low: int, high: int) -> Array:
    """Return the values without those far beyond the axis."""
    return np.where((value > 10.0 ** (low - 2)) & (value < 10.0 ** (high + 2)), value, np.nan)


def explanation_text(result: PapersResult) -> str:
    """Return how the tails are computed, with the user's numbers, or that there are none at this ε."""
    tails, setting = result.tails, result.tails.setting
    if not tails.has_answer:
        return no_laplace_text(setting.epsilon)[1]
    rule, (laplace_noise, gaussian_noise) = setting.calibration, tails.noises
    e = tex(format_input_up(setting.epsilon))
    b, sigma = (tex(format_up(noise.scale)) for noise in (laplace_noise, gaussian_noise))
    l1 = tex(sensitivity_text(setting, setting.l1))
    tail = tex(format_nearest(float(laplace.tail(setting.t, laplace_noise.scale))))
    return "\n\n".join(
        (
            rf"**Laplace noise**, pure ε-DP ({LAPLACE.theorem}): $b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is "
            rf"$p_1=\Pr(|e|>t)=e^{{-t/b}}={tail}$ at t = {format_input_up(setting.t)}.",
            f"**{rule.name}** ({rule.theorem}; {LOOKS[rule.key].proved_for.rstrip('.').lower()}): "
            rf"$${LOOKS[rule.key].equation}$$ Here $\sigma={sigma}$. Its tail is $p_2=2\Phi(-t/\sigma)$.",
            "**Fig. 4** shows $p_1/p_2$ at the same ε, for each δ.",
            r"**Fig. 5**, in closed form: the σ with Laplace’s tail at t is $\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; "
            "the formula of the Gaussian, solved for ε at that σ, gives ε₂, and the curve is ε₂/ε. For pDP "
            r"$\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
        )
    )


def tail_ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 4: p₁:p₂ over |t| at the same ε, a curve for each δ, grey where both are below the cutoff."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t = tails.ratio_grid
    numbers = tails.ratios(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.ratios(t, [pinned_tails.setting.delta])
    likely = numbers["ratio"].to_numpy()[~numbers["unlikely"].to_numpy()]
    ends = decades(-1, 2, float(likely[likely > 1e-12].min(initial=1)))
    names = "Laplace’s tail ÷ Gaussian’s tail (Liu 2019, Fig. 4)", "p₁ ÷ p₂ at the same ε"
    figure = _curves_figure(result, (numbers, pinned), "ratio", ends, names, colours)
    return Exhibit("ratio", figure, RATIOS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def privacy_costs(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 5: the Gaussian's ε over Laplace's at the same tail at |t|, a curve for each δ."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t = tails.cost_grid
    numbers = tails.costs(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.costs(t, [pinned_tails.setting.delta])
    names = "Privacy cost of the same tail (Liu 2019, Fig. 5)", "Gaussian’s ε ÷ Laplace’s ε"
    figure = _curves_figure(result, (numbers, pinned), "cost", (-2, 2), names, colours)
    return Exhibit("cost", figure, COSTS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.tails.setting
    header: dict[str, Any] = {"l1_sensitivity": repr(setting.l1), "l2_sensitivity": repr(setting.l2)}
    header |= {"gaussian": gaussian_name(setting.calibration), "t": setting.t, "cutoff": setting.cutoff}
    header |= {"units": "epsilon in nats; delta and tails are probabilities; t in query units"}
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.tails.setting)}
    return setting.csv_header | header | pinned


_NO_TAILS = "It does not compare the tails of two noises."


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the answer; nothing where Laplace noise has no answer or the ratio has no finite value."""
    tails, setting = result.tails, result.tails.setting
    if not tails.has_answer or not min(tails.tails) > 0:
        return ()
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, *setting.norms, setting.t))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2, t = {numbers}",
        f"rule = rivals.{setting.gaussian.upper()}",
        "print(rivals.tail_ratios(t, rule, epsilon, delta, (l1, l2))['ratio'][0])",
        "print(rivals.privacy_costs(t, rule, epsilon, delta, (l1, l2))['cost'][0])",
    )
    ratio = float(tails.ratios(setting.t, [setting.delta])["ratio"].to_numpy()[0])
    note = "Laplace’s tail over the Gaussian’s at t, and the Gaussian’s ε over Laplace’s at the same tail."
    return Snippet(DPCORE, code, note, (ratio, tails.cost)), *unavailable(dict.fromkeys(PEERS, _NO_TAILS))


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 4, Liu's Fig. 5, and what follows of them."""
    yield tail_ratios(result, colours)
    deltas = Field(DELTAS, "δ of the curves, comma-separated", DELTAS_HELP)
    yield Fields((deltas, CUTOFF, Field(CASE, "Statistic"), Field(GAUSSIAN, "Gaussian calibration")))
    yield privacy_costs(result, colours)
    if result.tails.has_answer:
        yield status_text(result.tails)
        yield recommendation_text(result.tails.setting)


SECTION = Section[PapersResult](
    controls=lambda result: (EPSILON, DELTA, T, *sensitivity_parameters(result.tails.setting.case)),
    parts=parts,
    key="tails",
    name="Liu Figs. 4–5: tails",
    answer_text=answer_text,
    explanation=explanation_text,
    exhibits=(tail_ratios, privacy_costs),
    snippets=snippets,
)
