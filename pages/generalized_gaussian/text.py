"""The sentences and names that several sections share."""

from typing import Any

from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest
from pages.generalized_gaussian.parameters import GeneralizedGaussianSetting
from pages.generalized_gaussian.results import GeneralizedGaussianResult
from pages.shared.glossary_links import more_text

GUARANTEE_HELP = (
    "(ε, δ)-DP: no set of outcomes has a probability that exceeds e^ε times its probability under a neighbouring data "
    "set by more than δ. pDP, probabilistic DP: the privacy loss exceeds ε with probability at most δ. "
    "Corollary 9: the paper’s bound for pDP, which requires more noise than pDP does unless p = 1."
    + more_text("pdp", "probabilistic DP")
)


def shape_name(p: float) -> str:
    """Return the name of a shape.

    >>> shape_name(1), shape_name(2), shape_name(2.5)
    ('p = 1, Laplace noise', 'p = 2, Gaussian noise', 'p = 2.5')
    """
    return f"p = {format_input_up(p)}" + {1.0: ", Laplace noise", 2.0: ", Gaussian noise"}.get(p, "")


def parameters_text(setting: GeneralizedGaussianSetting, *, without: str = "") -> str:
    """Return the parameters in one line, without those that a picture varies."""
    parts = {
        "epsilon": f"ε = {format_input_up(setting.epsilon)}",
        "delta": f"δ = {format_input_up(setting.delta)}",
        "p": f"p = {format_input_up(setting.p)}",
        "sensitivity": f"Δ = {format_input_down(setting.l2_sensitivity)}",
    }
    return ", ".join(part for key, part in parts.items() if key not in without.split())


def setting_text(setting: GeneralizedGaussianSetting) -> str:
    """Return a pinned setting in one line."""
    return f"{parameters_text(setting)}, {setting.calibration.name}"


def no_answer_text(setting: GeneralizedGaussianSetting) -> tuple[str, str]:
    """Return the sentences for an ε that is too small for pDP."""
    return (
        f"At ε = {format_input_up(setting.epsilon)} probabilistic DP has no answer.",
        (
            f"Choose an ε of at least {format_nearest(setting.calibration.least_epsilon)}, or (ε, δ)-DP, which has one"
            " at every ε ≥ 0."
        ),
    )


def csv_header(result: GeneralizedGaussianResult, **more: object) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with the kept setting's, if there is one."""
    setting = result.setting
    units = "epsilon in nats; scale, deviation, mean_error and accuracy in query units; p is a pure number"
    page_parameters = {
        "p": repr(setting.p),
        "guarantee": f"{setting.calibration.guarantee}, {setting.calibration.theorem}",
        "units": units,
    }
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.setting)}
    return setting.csv_header | page_parameters | more | pinned
