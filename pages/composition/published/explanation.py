"""How the numbers of the section are computed, in Markdown with TeX."""

from pages.composition.published.deployments_data import DEPLOYMENTS
from pages.composition.published.details_text import details_text
from pages.composition.results import CompositionResult

_PARAGRAPHS = (
    "**Standard conversion** (Bun & Steinke 2016, Proposition 1.3; Mironov 2017, Proposition 3): "
    "$\\varepsilon=\\rho+2\\sqrt{\\rho\\ln(1/\\delta)}$, and of a Rényi curve "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\frac{\\ln(1/\\delta)}{\\alpha-1}$.",
    "**Tight conversion** (Canonne, Kamath & Steinke 2020, Proposition 12 and Corollary 13): "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$, with "
    "$\\tau(\\alpha)=\\rho\\alpha$ under zCDP.",
    "**Exact.** The least ε at δ of the composed mechanism: for DP-SGD from its privacy losses on a grid, "
    "rounded up; for a single Gaussian release with $\\mu=\\sqrt{2\\rho}$ by "
    "$\\delta=\\Phi(\\tfrac\\mu2-\\tfrac\\varepsilon\\mu)-e^{\\varepsilon}\\Phi(-\\tfrac\\mu2-"
    "\\tfrac\\varepsilon\\mu)$. "
    "ρ alone does not imply a single Gaussian release: for discrete noise, or for several releases, this is an "
    "estimate, and only the tight conversion is proved.",
    "**One year.** ε and δ of a guarantee are multiplied by the number of periods in a year; ρ is multiplied and then "
    "converted at the same δ. This is an upper bound for fresh noise in each period. It is omitted where a device "
    "repeats memoised responses.",
    "**Shuffled batches.** Lower bound: that of Chua et al. (2024) for batches that are shuffled anew in each "
    "epoch (zero-out neighbours), as in the section “Batches”. Upper bound: one Gaussian release for "
    "each epoch, $\\mu=\\sqrt E/\\sigma$, which holds for any order.",
)


def explanation_text(_: CompositionResult) -> str:
    """Return how the numbers of the section are computed."""
    return "\n\n".join((*_PARAGRAPHS, "**How each printed ε follows.**", details_text(DEPLOYMENTS)))
