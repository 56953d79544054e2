"""The analytic Gaussian's σ of the start page, with dpcore and with other libraries."""

from pages.gaussian_bounds.exhibits import rows_of
from pages.shared.code import Snippet
from pages.shared.common import Setting
from pages.shared.peers import dpcore_sigma, gaussian_sigma


def snippets(now: Setting) -> tuple[Snippet, ...]:
    """How much noise the shared parameters ask for."""
    asked = now.epsilon, now.delta, now.l2_sensitivity, rows_of(now)["analytic"].mechanism.scale
    return dpcore_sigma(*asked), *gaussian_sigma(*asked)
