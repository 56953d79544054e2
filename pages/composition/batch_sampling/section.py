"""The section "Batches": ε by how the batches of a training are drawn."""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.composition import other_libraries
from pages.composition.batch_sampling import text
from pages.composition.batch_sampling.results import (
    Batching,
    batching_at,
    noise_decades,
    poisson_noise,
    ribbon_around,
    unamplified_noise,
)
from pages.composition.code import poisson_snippets
from pages.composition.dp_sgd.text import batching_downloads, batching_statements, has_batching_statements
from pages.composition.parameters import LOADER, SOLVE, batching_conditions, solved_parameters, training_fields
from pages.composition.results import CompositionResult
from pages.framework.chart.theme import (
    hairline,
    hover_head,
    layout,
    line,
    log_axis,
    pinned_curve,
    pinned_line,
    positive_or_nan,
)
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import number, program
from pages.framework.layout.section import Claim, Field, Fold, Part, Section, Snippet
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    tex,
)
from pages.framework.parameters.parameter import Parameter
from pages.shared.other_libraries import DPCORE
from pages.shared.shared_parameters import EPSILON

LOADER_COLOURS = {"poisson": "blue", "shuffled": "teal", "fixed": "grey"}
_MARKS = (1e-3, 1e-2, 0.1, 0.3, 1, 3, 10, 100, 1e3, 1e4, 1e5, 1e6)
_MIN_EPSILON = 1e-3  # the least ε of the figure


def ribbon_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return ε over the noise for Poisson batches, and the ribbon of shuffled ones up to no amplification."""
    batching, pinned = batching_at(result), result.pinned and batching_at(result.pinned)
    ribbon, (low, high) = ribbon_around(batching), noise_decades(batching.noise)
    marks = tuple(mark for mark in _MARKS if 10**low * (1 - 1e-9) <= mark <= 10**high * (1 + 1e-9))
    x_axis = log_axis("noise multiplier", 0, 1, marks=marks) | {"range": [low, high]} | hover_head("noise")
    y_axis = log_axis("ε", *_epsilon_decades(ribbon))
    figure, traces = layout(colours, "ε by how batches are drawn", text.subtitle(batching), x_axis, y_axis), []
    if pinned:
        of_pinned = ribbon_around(pinned)
        epsilons = of_pinned["poisson" if pinned.loader == "poisson" else "at_most"]
        traces.append(pinned_curve(of_pinned["noise"], positive_or_nan(epsilons), colours))
        pinned_line(figure, colours, pinned.noise)
    for loader, key, name, dash in (
        ("fixed", "at_most", "fixed order (no amplification)", "dash"),
        ("shuffled", "at_least", "shuffled, lower bound", "dot"),
        ("poisson", "poisson", "Poisson (exact)", "solid"),
    ):
        shade, is_lower = colours[LOADER_COLOURS[loader]], key == "at_least"
        epsilons = np.maximum(ribbon[key], _MIN_EPSILON) if is_lower else positive_or_nan(ribbon[key])
        trace = line(ribbon["noise"], epsilons, name, shade, dash, hovertemplate="%{y:.4~g}")
        trace["line"] |= {"width": 3.5 if batching.loader == loader else 2}
        traces.append(trace | ({"fill": "tonexty", "fillcolor": colours["floor"]} if is_lower else {}))
    traces += _training_traces(batching, colours)
    label = f"noise multiplier = {format_input_down(batching.noise)}"
    hairline(figure, colours, batching.noise, label, "" if result.values["solve"] == "noise" else "noise_multiplier")
    drawn, header = {"data": traces, "layout": figure}, _batching_csv_header(batching)
    return Exhibit("epsilon_by_batching", drawn, text.alternative_text(batching), pd.DataFrame(ribbon), header)


def _epsilon_decades(ribbon: dict[str, Array]) -> tuple[int, int]:
    """Return the decades of ε, at most five."""
    values = np.concatenate([ribbon["poisson"][np.isfinite(ribbon["poisson"])], ribbon["at_most"]])
    high = int(np.ceil(np.log10(max(values.max(), 1.0))))
    low = int(np.floor(np.log10(max(values.min(), 10.0 ** (high - 5)))))
    return min(low, high - 1), high


def _training_traces(batching: Batching, colours: Colours) -> list[dict[str, Any]]:
    """Return the training as a point, or as the span in which it lies if its batches are shuffled."""
    heights = {
        "poisson": [batching.poisson],
        "fixed": [batching.at_most],
        "shuffled": [max(batching.at_least, _MIN_EPSILON), batching.at_most],
    }
    y = [height for height in heights[batching.loader] if height > 0]
    if not y:
        return []
    marker = {"size": 11, "color": colours["text"]}
    look = {"mode": "lines+markers", "marker": marker, "line": {"color": colours["text"], "width": 4}}
    x = [batching.noise] * len(y)
    return [line(x, y, "this training", colours["text"], "solid", hoverinfo="skip") | look]


def loader_rows(batching: Batching, target: float) -> list[tuple[str, float, float, float, str, str]]:
    """Return for each way to draw batches the bounds on ε, the noise for a target, the neighbours and the loaders."""
    exact, least, most = batching.poisson, batching.at_least, batching.at_most
    poisson, safe = poisson_noise(batching, target), unamplified_noise(target, batching.delta, batching.uses)
    shuffled = "torch DataLoader(shuffle=True); tf.data only with a full shuffle buffer"
    return [
        (
            "Poisson",
            exact,
            exact,
            poisson,
            "one record added or removed",
            "Opacus DPDataLoader; each record independently",
        ),
        ("Shuffled each epoch", least, most, safe, _ZERO_OUT, shuffled),
        ("Fixed order", most, most, safe, _ZERO_OUT, "torch DataLoader(shuffle=False)"),
    ]


_ZERO_OUT = "one record’s gradient is 0 (zero-out)"


def table_html(batching: Batching, target: float) -> str:
    """Return ε and the noise for a target by each way to draw batches, as a table."""
    heads = [
        "Batches",
        f"ε at δ = {format_input_up(batching.delta)}",
        f"Noise multiplier for ε = {format_input_up(target)}",
        "Neighbours",
        "Loader",
    ]
    body = [
        [name, _interval_text(least, most), format_up(noise) if math.isfinite(noise) else "none up to 1e6", *words]
        for name, least, most, noise, *words in loader_rows(batching, target)
    ]
    return number_format.table_html("ε by how batches are drawn", "loaders", heads, body)


def _interval_text(least: float, most: float) -> str:
    if least == most:
        return format_up(most)
    return f"at least {format_down(least)}, at most {format_up(most)}" if least > 0 else f"at most {format_up(most)}"


_POISSON = "**Poisson.** The certified ε of DP-SGD, as in the section DP-SGD."
_SHUFFLED = (
    "**Shuffled, at least** (Chua et al. 2024, arXiv:2403.17673): an attacker who only tests whether some batch of an "
    "epoch exceeds a number C already proves\n\n"
    r"$$\delta\ \ge\ \sup_C\ \Bigl[1-\Phi\bigl(\tfrac{C-2}{\sigma}\bigr)\Phi\bigl(\tfrac{C}{\sigma}\bigr)^{T-1}\Bigr]"
    r"-e^\varepsilon\Bigl[1-\Phi\bigl(\tfrac{C-1}{\sigma}\bigr)\Phi\bigl(\tfrac{C}{\sigma}\bigr)^{T-1}\Bigr]$$"
    "\n\nOver several epochs, each shuffled anew, the attacker counts the epochs in which this happens. σ is the noise "
    "multiplier. An incomplete epoch is not part of the lower bound."
)
_FIXED = (
    "**No amplification**: a record is in at most ⌈E⌉ batches, so the whole training is at most one Gaussian release "
    "with μ = √⌈E⌉/σ. In fixed order this is exact; for shuffled batches it is an upper bound, since the order "
    "is independent of the data. No smaller proved bound is available on this page."
)
_NEIGHBOURS = (
    "**Neighbours.** For shuffled and fixed batches, the gradient of one record is replaced by 0 (zero-out), because "
    "removing the record would move others to different batches. Under Poisson sampling this is the same as adding or "
    "removing it."
)


def explanation_text(result: CompositionResult) -> str:
    """Return how the numbers of the section are computed, with the user's numbers."""
    batching = batching_at(result)
    sigma, batches = tex(format_input_down(batching.noise)), tex(format_nearest(batching.batches, 7))
    numbers = (
        rf"$$\sigma={sigma},\quad T={batches}\ \text{{batches an epoch}},\quad"
        rf" E={tex(format_input_up(batching.epochs))}$$"
    )
    return "\n\n".join((_POISSON, _SHUFFLED, numbers, _FIXED, _NEIGHBOURS))


def loaders_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε and of the noise for a target by each way to draw batches."""
    batching, target = batching_at(result), result.setting.epsilon
    names = ["batches", "epsilon_at_least", "epsilon_at_most", "noise_for_target", "neighbours", "drawn_by"]
    numbers = pd.DataFrame(loader_rows(batching, target), columns=names)
    header = _batching_csv_header(batching) | {"target": repr(target)}
    return Exhibit("loaders", table_html(batching, target), text.alternative_text(batching), numbers, header)


def _batching_csv_header(batching: Batching) -> dict[str, Any]:
    header: dict[str, Any] = {"records": batching.records, "batch": batching.batch, "epochs": batching.epochs}
    header |= {"loader": batching.loader, "noise_multiplier": repr(batching.noise), "delta": repr(batching.delta)}
    units = "epsilon in nats; poisson exact to 9 digits; at_least a lower bound; at_most an upper bound"
    return header | {"units": units}


def snippets(result: CompositionResult) -> tuple[Snippet, ...]:
    """Return the bounds on ε with the batches of the loader."""
    batching = batching_at(result)
    if batching.loader == "poisson":
        return poisson_snippets(batching, batching.poisson)
    lines = [
        "from dpcore import composition",
        "",
        f"delta, noise, uses = {number(batching.delta)}, {number(batching.noise)}, {batching.uses}",
        "print(composition.unamplified_epsilon(delta, noise, uses))",
    ]
    values, note = [batching.at_most], "ε without amplification, which holds for a fixed order."
    if batching.loader != "fixed" and batching.complete_epochs and batching.at_least > 0:
        arguments = f"delta, noise, {batching.batches}, {batching.complete_epochs}"
        lines.append(f"print(composition.shuffled_batches_epsilon_at_least({arguments}))")
        values.append(batching.at_least)
        note = "ε without amplification, an upper bound for shuffled batches, and the lower bound."
    guarantee = batching.noise, batching.uses, batching.delta, batching.at_most
    own = Snippet(DPCORE, program(*lines), note, tuple(values))
    return own, *other_libraries.unamplified_snippets(*guarantee)


_WHY_UNPROVED = (
    "Its bounds are those of DP-SGD, certified on a grid, and a lower bound for shuffled batches from a search."
)


def parts(result: CompositionResult, colours: Colours) -> Iterator[Part]:
    """Yield the ribbon, the table of the ways to draw batches, and what to do."""
    yield ribbon_chart(result, colours)
    yield loaders_table(result, colours)
    yield text.batching_steps_text(batching_at(result))
    yield text.advice_text(batching_at(result), result.setting.epsilon)
    yield Fold((text.WHY_LOADERS,), "Why the loader matters")


def controls(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return the loader, and the numbers of the training that are not solved for."""
    return Field(LOADER, "Batches"), *training_fields(result)


def more_settings(result: CompositionResult) -> Sequence[Field | Parameter]:
    """Return what is solved for, and the target where nothing is."""
    return Field(SOLVE, "Compute"), *((EPSILON,) if result.values["solve"] == "epsilon" else ())


SECTION = Section[CompositionResult](
    controls=controls,
    more_settings=more_settings,
    idle=lambda result: [item for item in solved_parameters(result) if item is not EPSILON],  # the target of a table
    parts=parts,
    key="batching",
    name="Batches",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(ribbon_chart, loaders_table),
    claims=lambda _: (Claim("The ε of the answer", reason=_WHY_UNPROVED),),
    snippets=snippets,
    statements=batching_statements,
    has_statements=has_batching_statements,
    downloads=batching_downloads,
    conditions=lambda result: batching_conditions(result) if batching_at(result).is_solved else None,
)
