"""The analytic Gaussian's σ and its ±, computed with dpcore and with other libraries."""

from pages.framework.layout.code_panel import number, program
from pages.framework.layout.section import Snippet
from pages.gaussian_bounds.results import GaussianBoundsResult
from pages.shared.libraries import DPCORE
from pages.shared.other_libraries import gaussian_sigma


def snippets(result: GaussianBoundsResult) -> tuple[Snippet, ...]:
    """Return programs that compute the answer of the page, the analytic σ and its ±."""
    setting, row = result.setting, result.rows["analytic"]
    code = program(
        "from dpcore import accuracy, gaussian",
        "",
        f"epsilon, delta, l2_sensitivity = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.l2_sensitivity)}",
        "sigma = gaussian.analytic_sigma(epsilon, delta, l2_sensitivity)",
        "print(sigma)",
        f"print(accuracy.gaussian_accuracy(sigma, {number(setting.significance)}))",
    )
    ours = Snippet(DPCORE, code, "σ, and ± at the significance level.", (row.mechanism.scale, row.accuracy))
    return ours, *gaussian_sigma(setting.epsilon, setting.delta, setting.l2_sensitivity, row.mechanism.scale)
