"""The sentences on a budget: who gets how much, what the queries spend together, and the noise of each."""

from collections.abc import Sequence

import numpy as np

from dpcore.queries import Budget
from pages.accuracy.budget.parameters import BudgetItem, item_names
from pages.accuracy.budget.tables import _finite_or_dash
from pages.accuracy.query import AccuracySetting
from pages.framework.parameters import list_parameter, number_format
from pages.framework.parameters.number_format import format_down, format_input_up, format_up

NOTE = (
    "Each query has one sensitivity, Δ = Δ₁ = Δ₂, in its own unit, and so is its ±: one number, or a histogram to "
    "which a person adds one record, whose ± is that of each cell. Where the "
    "answers are whole numbers, geometric noise of the same ε is as good as Laplace noise and keeps them whole. "
    "Shares are rounded down and ± up to four digits."
)


def excess_text(items: Sequence[BudgetItem], epsilon: float) -> tuple[str, str]:
    """Return the sentences for locks beyond the budget."""
    total = format_up(sum(item.numbers[2] for item in items))
    return (
        f"The locked queries require ε = {total} together, and the budget is ε = {format_input_up(epsilon)}.",
        "Unlock one, lower its ε, or raise ε.",
    )


def answer_text(
    shares: Budget, setting: AccuracySetting, pinned: tuple[Budget | None, AccuracySetting] | None
) -> tuple[str, ...]:
    """Return what the queries spend together, basic and exact, and what a pinned setting spent."""
    total, exact = format_up(float(shares.total_epsilon)), format_up(float(shares.exact_epsilon))
    delta = format_up(float(shares.total_delta))
    sentence = f"Together the queries spend at most ε = {total}, δ = {delta} by basic composition, whatever the noise."
    if pinned is None:
        return sentence, _exact_total_text(shares, total, exact)
    if pinned[0] is None:
        return (
            sentence,
            _exact_total_text(shares, total, exact),
            "Pinned: its locked queries ask for more than its budget.",
        )
    pinned_shares = pinned[0]
    changes = (
        f"ε {format_up(float(pinned_shares.total_epsilon))} → {total}, δ {format_up(float(pinned_shares.total_delta))}"
        f" → {delta}"
    )
    exactly = (
        f"ε of the Gaussians, exact, {_finite_or_dash(float(pinned_shares.exact_epsilon))} →"
        f" {_finite_or_dash(float(shares.exact_epsilon))}"
    )
    return sentence, _exact_total_text(shares, total, exact), f"Pinned → now: {changes}, {exactly}."


def _exact_total_text(shares: Budget, total: str, exact: str) -> str:
    """Return what Gaussian noise really spends."""
    lines = []
    some = "all are Gaussian" if (shares.delta > 0).all() else "those that have a δ are Gaussian"
    if np.isinf(shares.exact_epsilon):
        lines.append("Once it is shared, this δ is below 1e-300, and no Gaussian is computed for it.")
    elif exact != total:
        lines.append(f"If {some}, they really give ε = {exact} at that δ.")
    shrink = number_format.percent_up(float(shares.shrink))
    if shares.shrink < 1 and shrink != "100 %":
        lines.append(
            f"With all the Gaussian noise at {shrink} the exact total still keeps the budget (last column; then only "
            "the total is promised, not each query's own ε)."
        )
    if (shares.epsilon == 0).any():
        lines.append("A query whose ε is 0 has no Laplace noise: raise ε, or lower a lock.")
    return " ".join(lines) or "Pure ε-DP of Laplace noise spends no δ."


def recommendation_text(shares: Budget, setting: AccuracySetting) -> str:
    """Return which noise to use for the chosen guarantee."""
    names = np.array(item_names(setting.budget), object)
    gaussian = np.minimum(shares.gaussian, shares.shrunk) < shares.laplace
    if setting.promise == "pure":
        if np.isinf(shares.laplace).any():
            return "**What to do:** give every query an ε above 0: without one none keeps pure ε-DP."
        return "**What to do: use Laplace noise for every query**, each with its ±: together they keep pure ε-DP."
    if (shares.shrunk < np.minimum(shares.laplace, shares.gaussian) * (1 + 1e-9)).all():
        return (
            "**What to do: use Gaussian noise for every query, with the ± of the last column**: it is the least for "
            "each of them, and together they keep the budget exactly."
        )
    normal = shares.gaussian < shares.laplace
    if not normal.any():
        more = " Gaussian noise for all of them would have a smaller ± for some only." if gaussian.any() else ""
        return f"**What to do: use Laplace noise for every query**: its ± is the smaller, and it spends no δ.{more}"
    gaussian_names, laplace_names = (
        ", ".join(map(number_format.escape_markdown, names[rows])) for rows in (normal, ~normal)
    )
    laplace_text = f", Laplace noise for {laplace_names}" if laplace_names else ""
    noises = f"use Gaussian noise for {gaussian_names}{laplace_text}"
    return f"**What to do: {noises}**: the smaller ± of the two for each, within the budget."


def csv_header(setting: AccuracySetting, shares: Budget) -> dict[str, str]:
    """Return the parameters, totals and units for the top of a CSV."""
    return {
        **{key: str(getattr(setting, key)) for key in ("epsilon", "delta", "significance")},
        "budget in the link": list_parameter.list_text(setting.budget),
        "total epsilon, basic composition": repr(float(shares.total_epsilon)),
        "total epsilon of the Gaussians, exact": repr(float(shares.exact_epsilon)),
        "total delta": repr(float(shares.total_delta)),
        "units": "sensitivity and accuracies in each query's own unit; epsilon in nats; delta a probability",
    }


def alternative_text(items: Sequence[BudgetItem], shares: Budget) -> str:
    """Return what the figure of the shares shows, in a sentence."""
    parts = [
        f"{name} {format_down(float(share))}{' (locked)' if item.locked else ''}"
        for name, share, item in zip(item_names(items), shares.epsilon, items, strict=True)
    ]
    return f"Bars of each query's share of ε = {format_up(float(shares.total_epsilon))}: {'; '.join(parts)}."


def subtitle(setting: AccuracySetting) -> str:
    """Return the parameters of the figure, as text."""
    items, locks = setting.budget, sum(bool(item.locked) for item in setting.budget)
    n = f"{len(items)} quer{'ies' if len(items) > 1 else 'y'}, {locks} locked (grey)"
    return f"Budget ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}; {n}"
