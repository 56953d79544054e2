"""The words on Liu's experiments: whether the published order came out, what it leaves out, and what to be wary of."""

from collections.abc import Sequence

import pandas as pd

from dpcore.calibrations import CLASSICAL, FAILS, PROVED
from dpcore.tables import SvmScore
from pages.shared import text
from pages.shared.text import given_up, nearest, percent
from pages.tables import paper_left_out
from pages.tables.paper import MOST_CELLS, Experiment
from pages.tables.paper_figures import AXES, NAMES, SHORT

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
    "Choose a table to run Liu’s experiments on",
    "They need its counts: take a shipped table, give your own under “My table”, or choose Adult and give its file.",
)
N_PUBLIC = (
    "**The true total n is given away.** These releases are clipped at n and scaled to n, which Liu takes as public. "
    "The noise is for one person more or less, and that changes n: whoever sees the total tells the two tables apart, "
    "so no (ε, δ) of this page holds for them. Where n is public, neighbours are tables with one person replaced, "
    "which moves two cells: Laplace noise must then be twice as large, Gaussian noise √2 times. To publish, don’t "
    "scale to the true n."
)
PROMISED = (
    "**The promises differ.** Laplace keeps pure ε-DP. The pDP and the generalized Gaussian keep probabilistic DP, "
    "whose δ is another quantity than the δ of (ε, δ)-DP. The classical and the analytic Gaussian keep (ε, δ)-DP, "
    "which promises less. A δ of 0.01 or more is Liu’s choice for this comparison; to publish, take one far below 1/n."
)
EMPTY_CELLS = (
    "**Empty cells are left out.** Of some {possible} combinations only those that occur can be listed, and only they "
    "are released, as in the paper. That one is there tells that somebody has it, whatever noise its count gets: no "
    "(ε, δ) covers that, and a person alone in a cell is given away. This is an experiment, and no way to publish."
)
_VERDICTS = {"too close": "too close to call", "reversed": "the other way round"}
_ORDER = "Liu’s order: Laplace nearest to the original, then the pDP Gaussian, then the classical one."


def answer(asked: Experiment) -> tuple[str, str]:
    """Whether the published order came out, and how the analytic Gaussian does."""
    if asked.results is None or asked.order is None:
        return "These results are not made yet", unmade(asked)
    verdicts = asked.order["verdict"].to_list()
    came, total = verdicts.count("as published"), len(verdicts)
    others = [f"{verdicts.count(word)} {said}" for word, said in _VERDICTS.items() if word in verdicts]
    rest = f", {' and '.join(others)}" if others else ""
    how_many = f"all {total}" if came == total else f"{came} of {total}"
    return f"Liu’s order came out in {how_many} comparisons{rest}", f"{_ORDER} {paper_left_out.in_short(asked.results)}"


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
        return f"Training machines: {percent(share, 2)} done. Stop takes effect when the one in training is finished."
    return f"Releasing the table: {percent(share, 2)} done"


def described(asked: Experiment) -> str:
    """The table and what is made of its releases, for a subtitle."""
    return f"{asked.source}; {_PROCESSED[asked.post]}; seed {asked.seed}"


def released_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of one release."""
    few = f"; {asked.drawn.size} of the cells are drawn" if asked.drawn.size < asked.counts.size else ""
    return f"ε = {given_up(asked.epsilon)}, δ = {given_up(asked.delta)}; {described(asked)}{few}"


def distances_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of distances."""
    return f"Mean ± standard deviation of {asked.n_repeats:,} releases; {described(asked)}"


def released_alternative(asked: Experiment) -> str:
    """What the picture of one release shows, in a sentence."""
    distances = {name: abs(row - asked.counts).sum() for name, row in (asked.released or {}).items()}
    listed = "; ".join(f"{NAMES[name]} {nearest(value)}" for name, value in distances.items())
    return f"One release by each mechanism against the original counts. The ℓ₁ distance of each: {listed}."


def distances_alternative(asked: Experiment) -> str:
    """What the picture of distances shows, in a sentence."""
    return f"{SHORT[asked.distance]} of {len(asked.settings)} settings. {'. '.join(answer(asked))}"


def table_html(results: pd.DataFrame) -> str:
    """The means and standard deviations, as an accessible HTML table."""
    heads = ["Mechanism", "Promise", "ε", "δ", "ℓ₁ in counts", "KL(original ‖ release) in nats"]
    body = []
    for row in results.to_dict("records"):
        distances = [f"{nearest(row[f'{name}_mean'])} ± {nearest(row[f'{name}_sd'], 2)}" for name in AXES]
        delta, name = given_up(row["delta"]) if row["delta"] else "–", row["mechanism"]
        body.append(
            [NAMES[name], _promise(name, row["epsilon"], row["delta"]), given_up(row["epsilon"]), delta, *distances]
        )
    label = "Mean ± standard deviation of the distances"
    return text.table_html(label, "means", [*heads, "KL(release ‖ original) in nats"], body)


def _promise(mechanism: str, epsilon: float, delta: float) -> str:
    """What is promised, and of the classical Gaussian whether that is proved or kept."""
    if mechanism != "classical":
        return PROMISES[mechanism]
    said = {PROVED: "", FAILS: ": ✗ FAILS"}
    return PROMISES[mechanism] + said.get(
        str(CLASSICAL.status(epsilon, delta).word), ": ! unproved at this ε, but kept"
    )


def compared(asked: Experiment) -> str:
    """The comparisons that did not come out as published, in Markdown; empty if all did."""
    if asked.order is None:
        return ""
    others = [row for row in asked.order.to_dict("records") if row["verdict"] != "as published"]
    listed = [
        f"{NAMES[row['nearer']]} and {NAMES[row['farther']]} at ε = {given_up(row['epsilon'])}, "
        f"δ = {given_up(row['delta'])} in {SHORT[row['measure']]} ({_VERDICTS[row['verdict']]})"
        for row in others[:6]
    ]
    more = f", and {len(others) - 6} more" if len(others) > 6 else ""
    said = f"Not as published: {'; '.join(listed)}{more}. " if others else ""
    return f"{said}Means within two standard errors of each other are too close to call."


def notes(asked: Experiment) -> str:
    """What to be wary of, in Markdown."""
    parts = [PROMISED] if asked.post == "none" else [N_PUBLIC, PROMISED]
    if asked.possible is not None:
        parts.insert(0, EMPTY_CELLS.format(possible=nearest(asked.possible, 1)))
    return "\n\n".join(parts)


def svm_said(scores: Sequence[SvmScore]) -> str:
    """Fig. 12 in a sentence: how far the scores are from the original's."""
    original, *others = scores
    first = f"Trained on the original counts, the machine predicts {_percent(original.accuracy)} of the test records."
    if not others:
        return first
    gains = sorted(100 * (score.accuracy - original.accuracy) for score in others)
    low, high = (f"{gain:+.2f}".replace("-", "−") for gain in (gains[0], gains[-1]))
    between = f"{low}" if low == high else f"{low} to {high}"
    return (
        f"{first} Trained on released counts it is {between} percentage points from that, where each share has a "
        f"standard error of {100 * original.standard_error:.2f} points. Liu finds losses of 0.25 to 1 point."
    )


def svm_subtitle(scores: Sequence[SvmScore]) -> str:
    """The parameters of the picture of scores: of one ε and δ all mechanisms."""
    placed = [score.setting for score in scores if score.setting is not None]
    if not placed:
        return "trained on the original counts; ± one standard error"
    epsilon, delta = placed[0].epsilon, max(setting.delta for setting in placed)
    at_delta = f", δ = {given_up(delta)}" if delta else ""
    return f"RBF support vector machine, ε = {given_up(epsilon)}{at_delta}; one release each; ± one standard error"


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def header(asked: Experiment) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    return {
        "table": f"{asked.source}, n = {asked.counts.sum():,.10g}, {asked.counts.size} cells",
        "processing": _PROCESSED[asked.post],
        "repeats": str(asked.n_repeats),
        "seed": str(asked.seed),
        "noise": "floating-point draws of a known seed: for trial, not a release",
        "units": "epsilon in nats; scale b of the density e^(-(|x|/b)^p) and l1 in counts; KL in nats, pseudocount 1/2",
    }


EXPLANATION = r"""
**What is done** (Liu 2019, §4, doi:10.1109/TKDE.2018.2845388). Noise is added to each count: Laplace of scale
$b=1/\varepsilon$, the pDP Gaussian by Eq. 17, the classical one by Eq. 18, the generalized one by Corollary 9 at $p=3$,
and Gaussian noise of the least σ of (ε, δ)-DP, the analytic one, which the paper doesn't have. Each is for a
sensitivity of 1: one person is in one cell, and is added or removed, whatever else this page is set to.

**Distances.** $\ell_1=\sum|\text{release}-\text{count}|$. The KL divergences compare shares with a pseudocount of ½ in
each cell of both tables (Jeffreys' prior), $p\propto\text{count}+\tfrac12$ and
$q\propto\max(0,\text{release})+\tfrac12$: $\sum p\ln(p/q)$ and $\sum q\ln(q/p)$, in nats. The paper used KL.Dirichlet
of the R package entropy and prints neither its pseudocount nor its order, so its values may differ from these.

**Luck.** The noises of one family are the same draws times each setting's scale, so that settings are compared on the
same luck; the seed of the link draws them again. An order counts as come out where the means differ by more than two
standard errors.
""".strip()
