"""How the numbers of the section are computed, in Markdown with TeX."""

from pages.composition.results import CompositionResult

_PARAGRAPHS = (
    "**Composition.** A release has a privacy loss $L=\\ln\\frac{P(\\text{outcome})}{Q(\\text{outcome})}$ for "
    "neighbouring data sets with outcomes $P$ and $Q$. Of releases with independent noise the losses add, and "
    "together they keep (ε, δ)-DP "
    "with\n\n$$\\delta(\\varepsilon)=\\mathbb{E}\\left[1-e^{\\varepsilon-L}\\right]_+$$\n\nand with $P$ and $Q$ "
    "exchanged; the larger of both counts.",
    "**Exact.** $\\delta(\\varepsilon)=\\frac1{2\\pi i}\\int\\frac{e^{K(s)-s\\varepsilon}}{s(1+s)}\\,ds$ with "
    "$K(s)=\\ln\\mathbb{E}_P e^{sL}$, which adds up over the list; the integral's own estimate of its error is "
    "added twice. **Certified.** The losses of each release stand on a grid, each between two points such that "
    "both $P$ and $Q$ keep their mass, which rounds every δ up (Doroshenko et al. 2022); they are added by "
    "Fourier transform.",
    "**RDP** (Mironov 2017). $\\tau_i(\\alpha)$ add, and "
    "$\\varepsilon=\\min_\\alpha\\,\\tau(\\alpha)+\\ln(1-1/\\alpha)-\\frac{\\ln(\\alpha\\delta)}{\\alpha-1}$ "
    "(Canonne, Kamath & Steinke 2020). **zCDP** (Bun & Steinke 2016): $\\tau(\\alpha)=\\rho\\alpha$ with "
    "$\\rho=\\sum_i\\rho_i$.",
    "**Basic composition of lines.** $\\varepsilon=\\sum_i\\varepsilon_i$, $\\delta=\\sum_i\\delta_i$: here of the "
    "lines, each composed exactly within itself, with equal shares of δ for those that need one. Basic composition "
    "of releases, in the section Accountants, adds the ε of every single release, which says more.",
)


def explanation_text(_: CompositionResult) -> str:
    """Return how the numbers of the section are computed."""
    return "\n\n".join(_PARAGRAPHS)
