"""The words of the budget: who gets how much, what the queries spend together, and each one's accuracy."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpcore.queries import Budget
from pages.accuracy.budget import Item, names_of
from pages.accuracy.query import Setting
from pages.shared import listings, text
from pages.shared.text import down, given_down, given_up, up

NOTE = (
    "Each query has one sensitivity, Δ = Δ₁ = Δ₂, in its own unit, and so is its ±: one number, or a histogram to "
    "which a person adds one record, whose ± is that of each cell. Shares are rounded down and ± up to four digits."
)


def too_much(items: Sequence[Item], epsilon: float) -> str:
    """The sentence for locks beyond the budget."""
    asked = up(sum(item.numbers[2] for item in items))
    return (
        f"The locked queries ask for ε = {asked} together, and the budget is ε = {given_up(epsilon)}. Unlock one, "
        "lower its ε, or raise ε at the side."
    )


def table_html(items: Sequence[Item], shares: Budget, significance: float) -> str:
    """Every query's share and accuracies, and the totals, as an accessible HTML table."""
    level = f"<span>level {given_up(significance)}</span>"
    heads = ["Query", "Sensitivity", "ε", "δ", f"Laplace ±, {level}", "Gaussian ±", "Gaussian ±, exact total"]
    body = []
    for place, (item, name) in enumerate(zip(items, names_of(items), strict=True)):
        cells = [given_down(item.numbers[0]), _share(shares, item, place), down(float(shares.delta[place]))]
        cells += [_finite(float(part[place])) for part in (shares.laplace, shares.gaussian, shares.shrunk)]
        body.append([name, *cells])
    epsilon, delta = up(float(shares.total_epsilon)), up(float(shares.total_delta))
    body.append(["Total, basic composition", "", epsilon, delta, "", "", ""])
    body.append(["Total of the Gaussians, exact", "", _finite(float(shares.exact_epsilon)), delta, "", "", ""])
    return text.table_html("The budget", "readings", heads, body)


def _share(shares: Budget, item: Item, place: int) -> str:
    return down(float(shares.epsilon[place])) + (" locked" if item.locked else "")


def _finite(value: float) -> str:
    return "–" if np.isinf(value) else up(value)


def summary(shares: Budget) -> str:
    """What the queries spend together, basic and exact, in a sentence or two."""
    total, exact = up(float(shares.total_epsilon)), up(float(shares.exact_epsilon))
    spent = f"ε = {total}, δ = {up(float(shares.total_delta))}"
    lines = [f"**Together the queries spend at most {spent} by basic composition**, whatever the noise."]
    some = "all are Gaussian" if (shares.delta > 0).all() else "those that have a δ are Gaussian"
    if np.isinf(shares.exact_epsilon):
        lines.append("Once it is shared, this δ is below 1e-300, and no Gaussian is computed for it.")
    elif exact != total:
        lines.append(f"If {some}, they really give ε = {exact} at that δ.")
    shrink = text.percent_up(float(shares.shrink))
    if shares.shrink < 1 and shrink != "100 %":
        lines.append(
            f"With all the Gaussian noise at {shrink} the exact total still keeps the budget (last column; then only "
            "the total is promised, not each query's own ε)."
        )
    if (shares.epsilon == 0).any():
        lines.append("A query whose ε is 0 has no Laplace noise: raise ε at the side, or lower a lock.")
    return " ".join(lines)


def frame(items: Sequence[Item], shares: Budget) -> pd.DataFrame:
    """The table as a frame."""
    sizes, weights, locked = np.array([item.numbers for item in items]).T
    return pd.DataFrame(
        {
            "query": names_of(items),
            "sensitivity": sizes,
            "weight": weights,
            "locked_epsilon": locked,
            "epsilon": shares.epsilon,
            "delta": shares.delta,
            "laplace_accuracy": shares.laplace,
            "gaussian_accuracy": shares.gaussian,
            "gaussian_accuracy_exact_total": shares.shrunk,
        }
    )


def csv_header(now: Setting, shares: Budget) -> dict[str, str]:
    """The parameters, totals and units for the top of a CSV."""
    return {
        **{key: str(getattr(now, key)) for key in ("epsilon", "delta", "significance")},
        "budget in the link": listings.written(now.budget),
        "total epsilon, basic composition": repr(float(shares.total_epsilon)),
        "total epsilon of the Gaussians, exact": repr(float(shares.exact_epsilon)),
        "total delta": repr(float(shares.total_delta)),
        "units": "sensitivity and accuracies in each query's own unit; epsilon in nats; delta a probability",
    }


def alternative(items: Sequence[Item], shares: Budget) -> str:
    """What the picture of the shares shows, in a sentence."""
    parts = [
        f"{name} {down(float(share))}{' (locked)' if item.locked else ''}"
        for name, share, item in zip(names_of(items), shares.epsilon, items, strict=True)
    ]
    return f"Bars of each query's share of ε = {up(float(shares.total_epsilon))}: {'; '.join(parts)}."


def described(now: Setting) -> tuple[str, str]:
    """The parameters of the picture in two lines, as text."""
    items, locks = now.budget, sum(bool(item.locked) for item in now.budget)
    return (
        f"budget ε = {given_up(now.epsilon)}, δ = {given_up(now.delta)}",
        f"{len(items)} quer{'ies' if len(items) > 1 else 'y'}, {locks} locked (grey)",
    )
