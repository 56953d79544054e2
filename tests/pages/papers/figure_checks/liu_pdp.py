"""What each trace of Liu's Fig. 3 must show: the pDP σ over the classical σ."""

from dpcore import gaussian
from tests.pages.figure_checks import Chart, Numbers, Setting, Trace, linear, of


def share(epsilon: float) -> Trace:
    """Liu's Fig. 3: the pDP σ over the classical σ."""

    def truth(_: Setting, x: Numbers) -> Numbers:
        return gaussian.pdp_sigma(epsilon, x) / gaussian.classical_sigma(epsilon, x)

    return Trace(truth, "ratio", of("epsilon", epsilon))


SETTINGS = {"pdp_share": ({}, {"delta": "0.2"})}
CHARTS = {
    "pdp_share": Chart(
        linear("δ"),
        linear("σ ÷ classical σ"),
        {f"ε = {epsilon}": share(epsilon) for epsilon in (0.1, 0.3, 0.5, 0.7, 0.9)},
        "delta",
    )
}
