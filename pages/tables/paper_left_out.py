"""What Liu's experiments leave out, the analytic Gaussian, and what they find of the generalized one."""

import pandas as pd

from dpcore.tables import MECHANISMS
from pages.shared.text import nearest


def in_short(results: pd.DataFrame) -> str:
    """In one sentence how near the analytic Gaussian comes, which the paper leaves out."""
    settings, nearer, _, _ = _analytic(results)
    where = "in every setting" if nearer == settings else f"in {nearer} of {settings} settings"
    return f"The analytic Gaussian, which the paper leaves out, is nearer than these two Gaussians {where}."


def _analytic(results: pd.DataFrame) -> tuple[int, int, int, list[float]]:
    """The settings, in how many the analytic Gaussian has less ℓ₁ distance than both others, and than Laplace; savings.

    The last are shares of the pDP Gaussian's distance.
    """
    mean = _means(results)
    own = mean["analytic"]
    saved = [1 - value / max(mean["pdp"][place], 1e-300) for place, value in own.items()]
    nearer = sum(value < min(mean["pdp"][place], mean["classical"][place]) for place, value in own.items())
    laplace = sum(value < mean["laplace"][epsilon, 0.0] for (epsilon, _), value in own.items())
    return len(own), nearer, laplace, saved


def analytic(results: pd.DataFrame) -> str:
    """How near the analytic Gaussian comes in ℓ₁ distance, and what it promises, in Markdown."""
    settings, nearer, laplace, saved = _analytic(results)
    where = f"all {settings}" if nearer == settings else f"{nearer} of {settings}"
    low, high = (f"{nearest(100 * share, 2)} %" for share in (min(saved), max(saved)))
    between = low if low == high else f"{low} to {high}"
    return (
        f"**What the paper leaves out: the analytic Gaussian.** Its mean ℓ₁ distance is below that of the pDP and the "
        f"classical Gaussian in {where} settings ({between} below the pDP Gaussian’s), and below Laplace’s in "
        f"{laplace}. It keeps (ε, δ)-DP, which promises less than probabilistic DP and pure ε-DP."
    )


def generalized(results: pd.DataFrame) -> str:
    """How far the generalized Gaussian is from the pDP Gaussian, to which the paper finds it similar."""
    mean = _means(results)
    above = sorted(100 * (value / max(mean["pdp"][place], 1e-300) - 1) for place, value in mean["generalized"].items())
    low, high = (f"{nearest(abs(share), 2)} % {'below' if share < 0 else 'above'}" for share in (above[0], above[-1]))
    return (
        "**The generalized Gaussian.** The paper finds it, at p = 3, similar to the pDP Gaussian. Here its mean ℓ₁ "
        f"distance is {low if low == high else f'from {low} to {high}'} the pDP Gaussian’s."
    )


def _means(results: pd.DataFrame) -> dict[str, dict[tuple[float, float], float]]:
    """The mean ℓ₁ distance of each mechanism at each (ε, δ)."""
    mean: dict[str, dict[tuple[float, float], float]] = {name: {} for name in MECHANISMS}
    for row in results.to_dict("records"):
        mean[row["mechanism"]][row["epsilon"], row["delta"]] = row["l1_mean"]
    return mean
