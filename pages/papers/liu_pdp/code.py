"""The ratio of Liu's Fig. 3 with dpcore; other libraries have no σ of probabilistic DP."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.papers.liu_pdp.results import EPSILONS, sigma_ratio_range
from pages.papers.results import PapersResult
from pages.shared.libraries import DPCORE, PEERS

_NO_PDP = "It has no σ of probabilistic DP."


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the ratios that the answer gives."""
    code = program(
        "from dpcore import comparison",
        "",
        f"ratios = comparison.pdp_share({list(EPSILONS)}, {number(result.setting.delta)})['ratio']",
        "print(ratios.min())",
        "print(ratios.max())",
    )
    note = "The least and the largest ratio of the pDP σ to the classical σ over these ε."
    return Snippet(DPCORE, code, note, sigma_ratio_range(result.setting.delta)), *unavailable(
        dict.fromkeys(PEERS, _NO_PDP)
    )
