"""The totals of a budget with dpcore and with other libraries."""

from pages.accuracy.results import AccuracyResult
from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """Return the totals of the budget; nothing where the locked queries ask for more than there is."""
    setting, shares = result.setting, result.shares
    if shares is None:
        return ()
    columns = zip(*(item.numbers for item in setting.budget), strict=True)
    sizes, weights, locked = ([float(number) for number in column] for column in columns)
    code = program(
        "from dpcore import queries",
        "",
        f"epsilon, delta, significance = {number(setting.epsilon)}, {number(setting.delta)},"
        f" {number(setting.significance)}",
        f"sensitivity, weights, locked = {sizes}, {weights}, {locked}",
        "shares = queries.budget(epsilon, delta, significance, sensitivity, weights, locked)",
        "print(shares.total_epsilon, shares.total_delta)",
        "print(shares.exact_epsilon)",
    )
    total = float(shares.total_epsilon), float(shares.total_delta), float(shares.exact_epsilon)
    snippet = Snippet(
        DPCORE, code, "ε and δ by basic composition, and the ε that the Gaussians really give at that δ.", total
    )
    pairs = [(float(e), float(d)) for e, d in zip(shares.epsilon, shares.delta, strict=True)]
    return snippet, *_budget_library_snippets(pairs, total)


def _budget_library_snippets(pairs: list[tuple[float, float]], total: tuple[float, ...]) -> tuple[Snippet, ...]:
    mu = program(
        "from dp_accounting import get_epsilon_gaussian, get_sigma_gaussian",
        "",
        f"shares = {pairs}",
        "mu = sum(get_sigma_gaussian(epsilon, delta) ** -2 for epsilon, delta in shares) ** 0.5",
        f"print(get_epsilon_gaussian(1 / mu, {number(total[1])}))",
    )
    spent = program(
        "from diffprivlib import BudgetAccountant",
        "",
        f"print(BudgetAccountant(spent_budget={pairs}).total()[0])",
    )
    limits = [Limit("every ε", epsilon, 0.01, 10) for epsilon, _ in pairs]
    limits += [Limit("every δ", delta, 1e-10, 0.1) for _, delta in pairs]
    exact = Snippet(DP_ACCOUNTING, mu, "The exact ε of the Gaussians together.", total[2:], 1 - 1e-6, 1 + 1e-6)
    added = Snippet(DIFFPRIVLIB, spent, "ε by basic composition.", total[:1], 1 - 1e-9, 1 + 1e-9)
    reasons = {
        OPENDP: "It has basic composition of ε and δ too, or ρ of the Gaussians, and no exact total of these.",
        OPACUS: "It accounts for noise multipliers: it has no composition of (ε, δ) guarantees.",
    }
    return within(exact, *limits), within(added, *limits), *unavailable(reasons)
