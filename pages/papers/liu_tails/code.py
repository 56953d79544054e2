"""Both tails and the privacy cost of the same tail with dpcore; other libraries do not have them."""

from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.papers.results import PapersResult
from pages.shared.libraries import DPCORE, PEERS

_NAMES = {"analytic": "ANALYTIC", "pdp": "PDP", "classical": "CLASSICAL"}
_NO_TAILS = "It does not compare the tails of two noises."


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return the code of the answer; nothing where Laplace noise has no answer or the ratio has no finite value."""
    tails, setting = result.tails, result.tails.setting
    if not tails.has_answer or not min(tails.tails) > 0:
        return ()
    numbers = ", ".join(number(value) for value in (setting.epsilon, setting.delta, *setting.norms, setting.t))
    code = program(
        "from dpcore import laplace_gaussian as rivals",
        "",
        f"epsilon, delta, l1, l2, t = {numbers}",
        f"rule = rivals.{_NAMES[setting.gaussian]}",
        "print(rivals.tail_ratios(t, rule, epsilon, delta, l1, l2)['ratio'][0])",
        "print(rivals.privacy_costs(t, rule, epsilon, delta, l1, l2)['cost'][0])",
    )
    ratio = float(tails.ratios(setting.t, [setting.delta])["ratio"].to_numpy()[0])
    note = "Laplace’s tail over the Gaussian’s at t, and the Gaussian’s ε over Laplace’s at the same tail."
    return Snippet(DPCORE, code, note, (ratio, tails.cost)), *unavailable(dict.fromkeys(PEERS, _NO_TAILS))
