"""The words on Liu's experiments: whether the published order came out, what it leaves out, and what to be wary of."""

from typing import Any

import pandas as pd

from dpcore.calibrations import CLASSICAL, FAILS, PROVED
from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import format_input_up, format_nearest, percent
from pages.shared.counts.table import YOURS
from pages.tables.experiments import omissions_text
from pages.tables.experiments.figures import AXES, NAMES, SHORT, shown
from pages.tables.experiments.results import MOST_CELLS, Experiment

PROMISES = {
    "laplace": "pure ε-DP",
    "pdp": "probabilistic DP",
    "classical": "(ε, δ)-DP",
    "generalized": "probabilistic DP",
    "analytic": "(ε, δ)-DP",
}
_PROCESSED = {
    "paper": "clipped to [0, n] and scaled to n",
    "rounded": "clipped to [0, n], scaled to n and rounded",
    "none": "not processed",
}
NO_TABLE = (
    "Choose a table to run Liu’s experiments on.",
    "They need its counts: take a shipped table or your own under “Table”, or Adult under “Data”.",
)
NO_ADULT = ("Adult is not here yet.", "Open “Adult’s file” below to give its file or to fetch it from UCI.")
N_PUBLIC = (
    "**The true total n is given away.** These releases are clipped at n and scaled to n, which Liu takes as public. "
    "The noise is for one person more or less, and that changes n: whoever sees the total tells the two tables apart, "
    "so no (ε, δ) of this page holds for them. Where n is public, neighbours are tables with one person replaced, "
    "which moves two cells: Laplace noise must then be twice as large, Gaussian noise √2 times. To publish, don’t "
    "scale to the true n."
)
PROMISED = (
    "**The promises of the noises differ{scaled}.** Laplace noise keeps pure ε-DP. The pDP and the generalized "
    "Gaussian keep probabilistic DP, whose δ is another quantity than the δ of (ε, δ)-DP. The classical and the "
    "analytic Gaussian keep (ε, δ)-DP, which promises less.{fails} "
    "A δ of 0.01 or more is Liu’s choice for this comparison; to publish, take one far below 1/n."
)
EMPTY_CELLS = (
    "**Empty cells are left out.** Of some {possible} combinations only those that occur can be listed, and only they "
    "are released, as in the paper. That one is there tells that somebody has it, whatever noise its count gets: no "
    "(ε, δ) covers that, and a person alone in a cell is given away. This is an experiment, and no way to publish."
)
_LISTED = 6  # comparisons of one verdict that are named
_VERDICTS = {"too close": "too close to call", "reversed": "the other way round"}
_ORDER = "Liu’s order: Laplace nearest to the original, then the pDP Gaussian, then the classical one."


def answer(asked: Experiment) -> tuple[str, str]:
    """Whether the published order came out, and how the analytic Gaussian does."""
    if asked.results is None or asked.order is None:
        return "These results are not made yet.", unmade(asked)
    if asked.exact:
        return _exact(asked)
    verdicts = asked.order["verdict"].to_list()
    came, total = verdicts.count("as published"), len(verdicts)
    others = [f"{verdicts.count(word)} {said}" for word, said in _VERDICTS.items() if word in verdicts]
    rest = f", {' and '.join(others)}" if others else ""
    how_many = f"all {total}" if came == total else f"{came} of {total}"
    return (
        f"Liu’s order came out in {how_many} comparisons{rest}.",
        f"{_ORDER} {omissions_text.in_short(asked.results)}",
    )


def _exact(asked: Experiment) -> tuple[str, str]:
    """That every release is the table itself, and why."""
    if asked.post == "none" or (asked.counts.size > 1 and asked.counts.any()):
        first = "Every release of the experiment is the table itself."
        return first, "No released count differs from the true one, so there is nothing to compare."
    why = "It has one cell" if asked.counts.size == 1 else "All its counts are 0"
    return (
        "Scaled to n, this table is always released exactly.",
        f"{why}, so there is nothing to compare. To compare the noises, take settings of your own without "
        "post-processing.",
    )


def unmade(asked: Experiment) -> str:
    """That the results take a while, and how to get them; or that there are too many cells."""
    if asked.counts.size > MOST_CELLS:
        return f"The table has {asked.counts.size:,} cells, and the experiments are made for at most {MOST_CELLS:,}."
    return (
        f"{asked.counts.size:,} cells, {len(asked.settings)} settings and {asked.n_repeats:,} releases make "
        f"{asked.size / 1e6:,.0f} million noisy counts. Press “Run the experiment” below the picture."
    )


def working(name: str, share: float) -> str:
    """What is being made in the background, and how far it is."""
    if name == "machines":
        return f"Training machines: {percent(share, 2)} done"
    return f"Releasing the table: {percent(share, 2)} done"


def described(asked: Experiment) -> str:
    """The table and what is made of its releases, for a subtitle."""
    return f"{asked.source}; {_PROCESSED[asked.post]}; seed {asked.seed}"


def released_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of one release."""
    few = f"; {asked.drawn.size} of the cells are drawn" if asked.drawn.size < asked.counts.size else ""
    at = f"ε = {format_input_up(asked.epsilon)}, δ = {format_input_up(asked.delta)}"
    among = asked.epsilon in asked.epsilons and asked.delta in asked.deltas
    other = "" if among else ", not the experiment’s"
    return f"One release at this page’s {at}{other}; {described(asked)}{few}"


def distances_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of distances."""
    results = asked.results
    lost = results is not None and not shown(results[f"{asked.distance}_mean"].to_numpy()).all()
    zero = "; a distance of 0 has no place on a log axis" if lost else ""
    return f"Mean ± standard deviation of {asked.n_repeats:,} releases; {described(asked)}{zero}"


def released_alternative(asked: Experiment) -> str:
    """What the picture of one release shows, in a sentence."""
    distances = {name: abs(row - asked.counts).sum() for name, row in (asked.released or {}).items()}
    listed = "; ".join(f"{NAMES[name]} {format_nearest(value)}" for name, value in distances.items())
    return f"One release by each mechanism against the original counts. The ℓ₁ distance of each: {listed}."


def distances_alternative(asked: Experiment) -> str:
    """What the picture of distances shows, in a sentence."""
    return f"{SHORT[asked.distance]} of {len(asked.settings)} settings. {' '.join(answer(asked))}"


def table_html(results: pd.DataFrame, post: str) -> str:
    """The means and standard deviations, as an accessible HTML table; scaling may void what the noise promises."""
    heads = [
        "Mechanism",
        f"Promise of the noise{_before(post)}",
        "ε",
        "δ",
        "ℓ₁ in counts",
        "KL(original ‖ release) in nats",
    ]
    body = []
    for row in results.to_dict("records"):
        distances = [f"{format_nearest(row[f'{name}_mean'])} ± {format_nearest(row[f'{name}_sd'], 2)}" for name in AXES]
        delta, name = format_input_up(row["delta"]) if row["delta"] else "–", row["mechanism"]
        body.append(
            [
                NAMES[name],
                _promise(name, row["epsilon"], row["delta"]),
                format_input_up(row["epsilon"]),
                delta,
                *distances,
            ]
        )
    label = "Mean ± standard deviation of the distances"
    return number_format.table_html(label, "means", [*heads, "KL(release ‖ original) in nats"], body)


def _before(post: str) -> str:
    """That a promise is of the noise and not of what is released."""
    return "" if post == "none" else ", before scaling"


def _promise(mechanism: str, epsilon: float, delta: float) -> str:
    """What is promised, and of the classical Gaussian whether that is proved or kept."""
    if mechanism != "classical":
        return PROMISES[mechanism]
    said = {PROVED: "", FAILS: ": ✗ FAILS"}
    return PROMISES[mechanism] + said.get(
        str(CLASSICAL.verdict(epsilon, delta).status), ": ! unproved at this ε, but kept"
    )


def compared(asked: Experiment) -> str:
    """The comparisons that did not come out as published, in Markdown; empty if all did."""
    if asked.order is None:
        return ""
    rows = asked.order.to_dict("records")
    said = [_listed(said, [row for row in rows if row["verdict"] == word]) for word, said in _VERDICTS.items()]
    return f"{''.join(said)}Means within two standard errors of each other are too close to call."


def _listed(said: str, rows: list[dict[Any, Any]]) -> str:
    """The first comparisons of one verdict, and how many more there are; empty if there are none."""
    if not rows:
        return ""
    listed = [
        f"{NAMES[row['nearer']]} and {NAMES[row['farther']]} at ε = {format_input_up(row['epsilon'])}, "
        f"δ = {format_input_up(row['delta'])} in {SHORT[row['measure']]}"
        for row in rows[:_LISTED]
    ]
    more = f"; and {len(rows) - _LISTED} more" if len(rows) > _LISTED else ""
    return f"{said[0].upper()}{said[1:]}: {'; '.join(listed)}{more}. "


def notes(asked: Experiment) -> str:
    """What to be wary of, in Markdown."""
    promised = PROMISED.format(scaled=_before(asked.post), fails=_fails(asked))
    parts = [promised] if asked.post == "none" else [N_PUBLIC, promised]
    if asked.possible is not None:
        parts.insert(0, EMPTY_CELLS.format(possible=format_nearest(asked.possible, 1)))
    return "\n\n".join(parts)


def _fails(asked: Experiment) -> str:
    """That the classical Gaussian does not keep its promise where ε is large."""
    words = {
        str(CLASSICAL.verdict(each.epsilon, each.delta).status)
        for each in asked.settings
        if each.mechanism == "classical"
    }
    return " Where the table below says ✗ the classical one does not." if FAILS in words else ""


def header(asked: Experiment) -> dict[str, str]:
    """The parameters and units for the top of a CSV; the total of the user's own table is confidential."""
    total = "" if asked.source.startswith(YOURS) else f", n = {asked.counts.sum():,.10g}"
    cells = "1 cell" if asked.counts.size == 1 else f"{asked.counts.size} cells"
    return {
        "table": f"{asked.source}{total}, {cells}",
        "processing": _PROCESSED[asked.post],
        "repeats": str(asked.n_repeats),
        "seed": str(asked.seed),
        "noise": "floating-point draws of a known seed: for trial, not a release",
        "units": "epsilon in nats; scale b of the density e^(-(|x|/b)^p) and l1 in counts; KL in nats, pseudocount 1/2",
    }


EXPLANATION = r"""
**What is done** (Liu 2019, §4, doi:10.1109/TKDE.2018.2845388). Noise is added to each count: Laplace of scale
$b=1/\varepsilon$, the pDP Gaussian by Eq. 17, the classical one by Eq. 18, the generalized one by Corollary 9 at $p=3$,
and Gaussian noise of the least σ of (ε, δ)-DP, the analytic one, which the paper doesn’t have. Each is for a
sensitivity of 1: one person is in one cell, and is added or removed, whatever else this page is set to.

**Distances.** $\ell_1=\sum|\text{release}-\text{count}|$. The KL divergences compare shares with a pseudocount of ½ in
each cell of both tables (Jeffreys’ prior), $p\propto\text{count}+\tfrac12$ and
$q\propto\max(0,\text{release})+\tfrac12$: $\sum p\ln(p/q)$ and $\sum q\ln(q/p)$, in nats. The paper used KL.Dirichlet
of the R package entropy and prints neither its pseudocount nor its order, so its values may differ from these.

**Luck.** The noises of one family are the same draws times each setting’s scale, so that settings are compared on the
same luck; the seed of the link draws them again. An order counts as come out where the means differ by more than two
standard errors.
""".strip()
