"""The analytic Gaussian's σ of the start page, with dpcore and with other libraries."""

from pages.framework.layout.code_panel import Snippet
from pages.gaussian_bounds.exhibits import rows_of
from pages.shared.other_libraries import dpcore_sigma, gaussian_sigma
from pages.shared.shared_parameters import SharedSetting


def snippets(setting: SharedSetting) -> tuple[Snippet, ...]:
    """How much noise the shared parameters ask for."""
    asked = setting.epsilon, setting.delta, setting.l2_sensitivity, rows_of(setting)["analytic"].mechanism.scale
    return dpcore_sigma(*asked), *gaussian_sigma(*asked)
