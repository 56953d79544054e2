"""The section on Liu's Fig. 3: the pDP σ over the classical σ."""

from collections.abc import Iterator

import numpy as np

from dpcore import comparison
from pages.framework.chart.theme import hairline, hover_head, layout, line
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Part, Section, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest
from pages.papers.results import PapersResult
from pages.shared.other_libraries import DPCORE, PEERS
from pages.shared.page_links import Link
from pages.shared.shared_parameters import DELTA
from pages.shared.site_map import GAUSSIAN_BOUNDS

EPSILONS = (0.1, 0.3, 0.5, 0.7, 0.9)
_DELTAS = np.concatenate([np.logspace(-6, -2, 40)[:-1], np.linspace(0.01, 0.5, 100)])


def sigma_ratio_range(delta: float) -> tuple[float, float]:
    """Return the least and the largest ratio of the picture's ε at this δ."""
    ratio = comparison.pdp_share(np.array(EPSILONS), delta)["ratio"].to_numpy()
    return float(ratio.min()), float(ratio.max())


ALTERNATIVE_TEXT = (
    "Liu’s pDP σ is below the classical σ at every δ up to 0.5 and every ε below 1. The ratio falls as ε shrinks and, "
    "up to δ = 0.38, as δ grows."
)
EXPLANATION = r"""
**Fig. 3** (Liu 2019) divides the σ of probabilistic DP, Eq. 17,
$\sigma=\Delta_2\left(\sqrt{q^2+2\varepsilon}+q\right)/(2\varepsilon)$ with $q=-\Phi^{-1}(\delta/2)$, by the
classical σ, Eq. 18, $\sigma=\Delta_2\sqrt{2\ln(1.25/\delta)}/\varepsilon$. Both are proportional to $\Delta_2$, so the
ratio does not depend on the query.

**Two notions of δ.** (ε, δ)-DP: probabilities may exceed the $e^\varepsilon$ bound by up to δ. Probabilistic DP: the
privacy loss exceeds ε with probability at most δ. The second implies the first at the same ε and δ, so the pDP σ also
satisfies (ε, δ)-DP.
""".strip()


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return the ratio of both σ at the page's δ, and what it means."""
    least, largest = sigma_ratio_range(result.setting.delta)
    low, high = format_nearest(least, 3), format_nearest(largest, 3)
    noise = "the smaller pDP σ also satisfies (ε, δ)-DP" if largest < 1 else "the pDP σ also satisfies (ε, δ)-DP"
    delta = f"δ = {format_input_up(result.setting.delta)}"
    return (
        f"At {delta} the pDP σ is {low} to {high} times the classical σ (ε from {EPSILONS[0]} to {EPSILONS[-1]}).",
        f"The pDP guarantee (privacy loss above ε with probability at most δ) implies (ε, δ)-DP, so {noise}.",
    )


def recommendation_text(result: PapersResult) -> str:
    """Return which σ to take, and the page that compares all bounds."""
    entries = {"epsilon": exact_text(result.setting.epsilon), "delta": exact_text(result.setting.delta)}
    return (
        "**What to do.** For (ε, δ)-DP take the analytic σ: it is the least that satisfies the guarantee, at every ε. "
        f"All bounds and their true privacy: {Link(GAUSSIAN_BOUNDS, GAUSSIAN_BOUNDS.name, entries).markdown}."
    )


_OPACITIES = dict(zip(EPSILONS, (0.35, 0.5, 0.65, 0.82, 1.0), strict=True))


def pdp_share(result: PapersResult, colours: Colours) -> Exhibit:
    """Return the chart of the pDP σ over the classical σ against δ, a curve for each of several ε below 1."""
    frame, delta = comparison.pdp_share(np.array(EPSILONS)[:, None], _DELTAS), result.setting.delta
    figure = layout(
        colours,
        "pDP σ ÷ classical σ (Liu 2019, Fig. 3)",
        "ε from 0.1 (faint) to 0.9 (strong), where the classical proof holds; the two δ are different quantities",
        {"range": [0, 0.5], "title": {"text": "δ"}, "tickformat": ".1~f"} | hover_head("δ"),
        {"range": [0.45, 1.0], "title": {"text": "σ ÷ classical σ"}},
    )
    traces = []
    for epsilon, opacity in _OPACITIES.items():
        rows = frame[frame["epsilon"] == epsilon]
        more = {"opacity": opacity, "hovertemplate": "%{y:.4~g} ×"}
        traces.append(line(rows["delta"], rows["ratio"], f"ε = {epsilon}", colours["pdp"], "solid", **more))
    if delta <= figure["xaxis"]["range"][1]:
        hairline(figure, colours, delta, f"δ = {format_input_up(delta)}", "delta")
    drawn = {"data": traces, "layout": figure}
    return Exhibit("pdp_share", drawn, ALTERNATIVE_TEXT, frame, result.setting.csv_header)


_NO_PDP = "It has no σ of probabilistic DP."


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the ratios that the answer gives."""
    code = program(
        "from dpcore import comparison",
        "",
        f"ratios = comparison.pdp_share({list(EPSILONS)}, {number(result.setting.delta)})['ratio']",
        "print(ratios.min())",
        "print(ratios.max())",
    )
    note = "The least and the largest ratio of the pDP σ to the classical σ over these ε."
    own = Snippet(DPCORE, code, note, sigma_ratio_range(result.setting.delta))
    return own, *unavailable(dict.fromkeys(PEERS, _NO_PDP))


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 3, and which σ to take."""
    yield pdp_share(result, colours)
    yield recommendation_text(result)


SECTION = Section[PapersResult](
    controls=lambda _: (DELTA,),
    parts=parts,
    key="pdp",
    name="Liu Fig. 3: pDP σ",
    answer_text=answer_text,
    explanation=lambda _: EXPLANATION,
    exhibits=(pdp_share,),
    snippets=snippets,
)
