"""The sentences on how the mechanisms, and machines trained on released counts (Fig. 12), compare with the paper."""

from collections.abc import Sequence

import pandas as pd

from dpcore.tables import MECHANISMS, SvmScore
from pages.framework.parameters.number_format import format_input_up, format_nearest


def scores_text(scores: Sequence[SvmScore]) -> str:
    """Return how far the scores are from that of the original counts."""
    original, *released = scores
    first = f"Trained on the original counts, the machine predicts {100 * original.accuracy:.1f} % of the test records."
    if not released:
        return first
    gains = sorted(100 * (score.accuracy - original.accuracy) for score in released)
    low, high = (f"{gain:+.2f}".replace("-", "−") for gain in (gains[0], gains[-1]))
    between = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{first} Training on released counts changes this by {between} percentage points; each share has a "
        f"standard error of {100 * original.standard_error:.2f} points. Liu finds losses of 0.25 to 1 point."
    )


def subtitle(scores: Sequence[SvmScore]) -> str:
    """Return the parameters of the figure of scores, which are those of one ε and δ."""
    placed = [score.setting for score in scores if score.setting is not None]
    if not placed:
        return "trained on the original counts; ± one standard error"
    epsilon, delta = placed[0].epsilon, max(setting.delta for setting in placed)
    at_delta = f", δ = {format_input_up(delta)}" if delta else ""
    return (
        f"RBF support vector machine, ε = {format_input_up(epsilon)}{at_delta}; one release each; ± one standard error"
    )


Means = dict[str, dict[tuple[float, float], float]]


def analytic_summary(results: pd.DataFrame) -> str:
    """Return how near the analytic Gaussian comes, which the paper omits, as a part of a sentence."""
    settings, nearer, _ = _analytic_wins(_mean_distances(results))
    share = _settings_text(nearer, settings)
    return f"the analytic Gaussian, omitted in the paper, has a smaller ℓ₁ distance than both Gaussians {share}"


def analytic_text(results: pd.DataFrame) -> str:
    """Return how near the analytic Gaussian comes in ℓ₁ distance, and its guarantee, in Markdown."""
    mean = _mean_distances(results)
    settings, nearer, laplace = _analytic_wins(mean)
    return (
        "**What the paper omits: the analytic Gaussian.** Its mean ℓ₁ distance is below that of the pDP and the"
        f" classical Gaussian {_settings_text(nearer, settings)} ({_difference_from_pdp(mean, 'analytic')}), and below"
        f" Laplace’s {_settings_text(laplace, settings)}. Its guarantee, (ε, δ)-DP, is weaker than pure ε-DP and pDP."
    )


def generalized_text(results: pd.DataFrame) -> str:
    """Return how far the generalized Gaussian is from the pDP Gaussian, to which the paper finds it similar."""
    return (
        "**The generalized Gaussian.** Liu finds p = 3 similar to the pDP Gaussian. Here its mean ℓ₁ distance is "
        f"{_difference_from_pdp(_mean_distances(results), 'generalized')}."
    )


def _analytic_wins(mean: Means) -> tuple[int, int, int]:
    """Return the number of settings, and in how many the analytic Gaussian beats both Gaussians, and Laplace."""
    analytic = mean["analytic"]
    nearer = sum(value < min(mean["pdp"][place], mean["classical"][place]) for place, value in analytic.items())
    laplace = sum(value < mean["laplace"][epsilon, 0.0] for (epsilon, _), value in analytic.items())
    return len(analytic), nearer, laplace


def _settings_text(n_settings: int, settings: int) -> str:
    """Return a number of settings out of all, in words."""
    if n_settings == 0:
        return "in no setting"
    if n_settings < settings:
        return f"in {n_settings} of {settings} settings"
    return {1: "in the one setting", 2: "in both settings"}.get(settings, f"in all {settings} settings")


def _difference_from_pdp(mean: Means, name: str) -> str:
    """Return how far a mechanism's mean ℓ₁ distances are from those of the pDP Gaussian, where those are above 0."""
    pdp = mean["pdp"]
    shares = sorted(100 * (value / pdp[place] - 1) for place, value in mean[name].items() if pdp[place] > 0)
    if not shares:
        return "not comparable with the pDP Gaussian’s, which is 0"
    condition = " where that is above 0" if len(shares) < len(pdp) else ""
    low, high = shares[0], shares[-1]
    if low < 0 <= high:
        between = f"from {format_nearest(-low, 2)} % below to {format_nearest(high, 2)} % above"
    else:
        least, most = (f"{format_nearest(share, 2)} %" for share in sorted((abs(low), abs(high))))
        between = f"{least if least == most else f'{least} to {most}'} {'below' if low < 0 else 'above'}"
    return f"{between} the pDP Gaussian’s{condition}"


def _mean_distances(results: pd.DataFrame) -> Means:
    """Return the mean ℓ₁ distance of each mechanism at each (ε, δ)."""
    mean: Means = {name: {} for name in MECHANISMS}
    for row in results.to_dict("records"):
        mean[row["mechanism"]][row["epsilon"], row["delta"]] = row["l1_mean"]
    return mean
