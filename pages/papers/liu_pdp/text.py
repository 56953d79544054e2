"""The sentences on Liu's Fig. 3."""

from pages.framework.parameters.number_format import exact_text, format_input_up, format_nearest
from pages.papers.liu_pdp.results import EPSILONS, sigma_ratio_range
from pages.papers.results import PapersResult
from pages.shared.page_links import Link
from pages.shared.site_map import GAUSSIAN_BOUNDS

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
