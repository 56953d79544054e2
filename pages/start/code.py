"""The analytic Gaussian's σ of the start page, computed with dpcore and with other libraries."""

from pages.framework.layout.section import Snippet
from pages.shared.other_libraries import dpcore_sigma, gaussian_sigma
from pages.start.results import StartResult


def snippets(result: StartResult) -> tuple[Snippet, ...]:
    """Return programs that compute how much noise the shared parameters require."""
    setting = result.setting
    numbers = setting.epsilon, setting.delta, setting.l2_sensitivity, result.analytic_sigma
    return dpcore_sigma(*numbers), *gaussian_sigma(*numbers)
