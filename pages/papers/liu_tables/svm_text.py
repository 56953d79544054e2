"""The sentences on Fig. 12 of Liu's experiments: machines trained on released counts."""

from collections.abc import Sequence

from dpcore.tables import SvmScore
from pages.framework.parameters.number_format import format_input_up


def scores_text(scores: Sequence[SvmScore]) -> str:
    """Return how far the scores are from that of the original counts."""
    original, *released = scores
    first = (
        f"Trained on the original counts, the machine predicts {_one_decimal_percent(original.accuracy)} of the test"
        " records."
    )
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


def _one_decimal_percent(share: float) -> str:
    return f"{100 * share:.1f} %"
