"""The sentences on the bounds of a statistic and on its sensitivity within them."""

from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up
from pages.shared.bounded.parameters import LEAST_BOUNDED, BoundedSetting

UNPROVED_TEXT = (
    "Its ε is a maximum over all true values between the bounds, and no formula gives the place of that maximum: b is "
    "solved numerically and rounded up."
)


def no_answer_text(setting: BoundedSetting) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for noise of pure DP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} pure DP within bounds has no answer.",
        "The release may hardly depend on the data, so b would be infinite, or nearly so: choose an ε of at least "
        f"{format_nearest(LEAST_BOUNDED)}.",
    )


def sensitivity_text(setting: BoundedSetting) -> str:
    """Return which Δ is used, and the reason where it differs from the entered one."""
    sensitivity, width = format_input_down(setting.l2_sensitivity), format_input_down(setting.width)
    if setting.l2_sensitivity > setting.width:
        return (
            f"The sensitivity Δ₂ = {sensitivity} is more than c₁ − c₀ = {width}: between the bounds the statistic "
            f"cannot change by more than that, so Δ = {width} here."
        )
    if setting.l2_sensitivity < setting.bounded_sensitivity:
        return (
            f"The sensitivity Δ₂ = {sensitivity} is less than 1e-9 of c₁ − c₀ = {width}: Δ ="
            f" {used_sensitivity_text(setting)} is used here, which adds more noise than required."
        )
    return f"Δ = {sensitivity}, the sensitivity Δ₂: for one statistic it is the same in every norm."


def used_sensitivity_text(setting: BoundedSetting) -> str:
    """Return Δ within the bounds: as entered, or rounded up where it was increased."""
    return (
        format_up(setting.bounded_sensitivity)
        if setting.l2_sensitivity < setting.bounded_sensitivity
        else format_input_down(setting.bounded_sensitivity)
    )
