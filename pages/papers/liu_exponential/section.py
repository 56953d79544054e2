"""The section on Liu's Lemma 10: the exponential mechanism within the bounds of a statistic."""

from collections.abc import Iterator
from typing import Any

from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.code_panel import program, unavailable
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, tex
from pages.papers.liu_exponential import figures, text
from pages.papers.liu_exponential.parameters import OVER, SCALE
from pages.papers.results import PapersResult
from pages.shared.bounded.code import NO_BOUNDS, bounds_assignment
from pages.shared.bounded.parameters import HIGH, LOW, P
from pages.shared.bounded.text import UNPROVED_TEXT, no_answer_text, sensitivity_text, used_sensitivity_text
from pages.shared.libraries import DPCORE
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY


def explanation_text(result: PapersResult) -> str:
    """Return how the scales are computed, with the user's numbers, or that there are none at this ε."""
    exponential, setting = result.exponential, result.bounded_setting
    if exponential is None:
        return " ".join(no_answer_text(setting))
    b = {key: tex(format_up(scale)) for key, scale in exponential.scale.items()}
    lemma = f"Here $b={b[LEMMA.key]}$." if LEMMA.key in b else "It holds for whole p only."
    return _TEMPLATE.format(
        e=tex(format_input_up(setting.epsilon)),
        p=tex(format_input_up(setting.p)),
        w=tex(format_input_down(setting.width)),
        sensitivity=tex(used_sensitivity_text(setting)),
        lemma=lemma,
        exponential=b[EXPONENTIAL.key],
        published=b[PUBLISHED.key],
        truncated=b[TRUNCATED.key],
    )


_TEMPLATE = r"""
**Setting.** One statistic in $[c_0,c_1]$, $W=c_1-c_0={w}$, which changes by at most $\Delta={sensitivity}$ between
neighbours; $\varepsilon={e}$, $p={p}$. Every mechanism here satisfies pure $\varepsilon$-DP.

**Exponential mechanism** (Liu 2019, Eq. 15–16) with utility $u=-|x-s|^p$: truncated noise of density
$\propto e^{{-(|x-s|/b)^p}}$ on $[c_0,c_1]$ with $b=(2\Delta_u/\varepsilon)^{{1/p}}$, where $\Delta_u$ is the largest
change of the utility between neighbours.

**Lemma 10** (Liu 2019): $\Delta_u\le\Delta$ for p = 1, $2\Delta W$ for p = 2, and from p = 3 on
$\sum_j\binom pj\max(|c_0|,|c_1|)^{{p-j}}\Delta^{{(j)}}$, where $\Delta^{{(j)}}$ is the sensitivity of $s^j$. {lemma}

**Exact $\Delta_u$** (own derivation): $\Delta_u=W^p-(W-\Delta)^p$ gives $b={exponential}$.

**Truncated mechanism, published** (Liu 2019, Definition 5, Eq. 7–8):
$b=\left(\tfrac2\varepsilon\left[(W+\Delta)^p-W^p\right]\right)^{{1/p}}={published}$.

**Truncated mechanism, exact** (own derivation): the least b with
$\max_s\,\log f(c_0;s)-\log f(c_0;s+\Delta)=\varepsilon$, the largest log ratio of densities: $b={truncated}$.
""".strip()


def scales_over_p(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over p."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return None
    setting, quantity = exponential.setting, result.values["bounded_scale"]
    scales, pinned_scales = exponential.scales_over("p"), pinned and pinned.scales_over("p")
    figure = figures.shape_figure(scales, setting.p, quantity, text.subtitle_over_p(setting), colours, pinned_scales)
    return Exhibit("bounded_shapes", figure, text.alternative_text(result), scales, csv_header(result), ("p", ""))


def scales_over_width(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return the scale of each mechanism over the width of the bounds."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return None
    setting, quantity = exponential.setting, result.values["bounded_scale"]
    scales, pinned_scales = exponential.scales_over("width"), pinned and pinned.scales_over("width")
    figure = figures.width_figure(
        scales,
        setting.bounded_sensitivity,
        setting.width,
        quantity,
        text.subtitle_over_width(setting),
        colours,
        pinned_scales,
    )
    return Exhibit("bounded_widths", figure, text.alternative_text(result), scales, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.bounded_setting
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned.bounded_setting)}
    bounds = {key: repr(getattr(setting, key)) for key in ("p", "bound_low", "bound_high")}
    used = {"sensitivity used": repr(setting.bounded_sensitivity)}
    units = {"units": "epsilon in nats; delta a probability; bounds and scales b in query units"}
    return setting.csv_header | pinned | bounds | used | units


_LINES = {
    LEMMA.key: "lemma_exponential_scale(epsilon, p, [sensitivity], [low], [high])",
    EXPONENTIAL.key: "bounded_exponential_scale(epsilon, p, [sensitivity], [high - low])",
    PUBLISHED.key: "truncated_scale(epsilon, p, [sensitivity], [high - low])",
    TRUNCATED.key: "exact_truncated_scale(epsilon, p, high - low, sensitivity)",
}


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the scales; nothing where there is no answer."""
    exponential = result.exponential
    if exponential is None:
        return ()
    lines = {key: line for key, line in _LINES.items() if key in exponential.scale}
    code = program(
        "from dpcore import generalized_gaussian",
        "",
        bounds_assignment(exponential.setting),
        *(f"print(generalized_gaussian.{line})" for line in lines.values()),
    )
    lemma = "by Lemma 10, " if LEMMA.key in lines else ""
    note = f"The scale b {lemma}with the exact Δᵤ, by Eq. 7–8, and of exact truncated noise."
    return Snippet(DPCORE, code, note, tuple(exponential.scale[key] for key in lines)), *unavailable(NO_BOUNDS)


_EXHIBITS = {"p": scales_over_p, "width": scales_over_width}


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the scales of the mechanisms over p or over the width of the bounds."""
    yield _EXHIBITS[result.values["over"]](result, colours)
    yield Fields((LOW, HIGH, DELTA))
    yield sensitivity_text(result.bounded_setting)
    if result.exponential is not None:
        yield text.scales_text(result.exponential)
        yield text.lemma_text(result.exponential)
        yield text.recommendation_text(result.exponential)


def claims(result: PapersResult) -> Iterator[Claim]:
    """Yield the claim on noise within bounds, which is not proved here."""
    if result.exponential is not None:
        yield Claim("The pure ε of noise within bounds", reason=UNPROVED_TEXT)


SECTION = Section[PapersResult](
    controls=lambda _: (EPSILON, P, L2_SENSITIVITY, Field(OVER, "Horizontal axis"), Field(SCALE, "Show")),
    parts=parts,
    key="exponential",
    name="Liu Lemma 10: bounded noise",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=tuple(_EXHIBITS.values()),
    claims=claims,
    snippets=snippets,
)
