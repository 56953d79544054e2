"""The words on Liu's experiments: whether the published order came out, what it leaves out, and what to be wary of."""

from collections.abc import Sequence

import numpy as np
import pandas as pd

from dpcore.calibrations import CLASSICAL, FAILS, PROVED
from dpcore.tables import MECHANISMS, SvmScore
from pages.shared import text
from pages.shared.text import given_up, nearest
from pages.tables.paper import Experiment
from pages.tables.paper_figures import AXES, NAMES

PROMISES = {
    "laplace": "pure ε-DP",
    "pdp": "probabilistic DP",
    "classical": "(ε, δ)-DP",
    "generalized": "probabilistic DP",
    "analytic": "(ε, δ)-DP",
}
_PROCESSED = {
    "paper": "clipped to [0, n] and scaled to n",
    "rounded": "rounded to whole numbers",
    "none": "as it is, without processing",
}
N_PUBLIC = (
    "**What n gives away.** Clipping at n and scaling to n use the true total, which Liu takes as public. The noise is "
    "for one person more or less, and then n differs too: these releases keep their promise only if n is known to all "
    "anyway. With n fixed, neighbours differ by a replaced record, in two cells: Laplace then needs twice this noise, a "
    "Gaussian √2 times."
)
PROMISED = (
    "**Different promises.** Laplace keeps pure ε-DP. pDP and generalized Gaussian noise keep probabilistic DP, whose δ "
    "is another quantity than that of (ε, δ)-DP, which the classical and the analytic Gaussian keep and which promises "
    "less. A δ of 0.01 or more is Liu's choice for these pictures; for a release take one far below 1/n."
)
EMPTY_CELLS = (
    "**Empty cells.** Of Adult only the combinations that occur are released, as in the paper: of {possible} possible "
    "ones they are all that can be listed. That a combination is there tells that somebody has it, whatever its noise: "
    "no (ε, δ) covers that, so this is an experiment and no way to publish."
)
WAITING = "These are many numbers. Press **Run the experiment** below to make them; it takes about {seconds} seconds."


def answer(asked: Experiment) -> tuple[str, str]:
    """Whether the published order came out, and how the analytic Gaussian does."""
    if asked.results is None or asked.order is None:
        return f"{asked.source}: not run yet", unrun(asked)
    verdicts = asked.order["verdict"].to_list()
    came, total = verdicts.count("as published"), len(verdicts)
    others = [f"{verdicts.count(word)} {said}" for word, said in _OTHER_VERDICTS.items() if word in verdicts]
    rest = f"; {' and '.join(others)}" if others else ""
    how_many = f"all {total}" if came == total else f"{came} of {total}"
    return f"Liu’s order came out in {how_many} comparisons{rest}", f"{_ORDER} {analytic(asked.results)}"


_OTHER_VERDICTS = {"too close": "too close to call", "reversed": "the other way round"}
_ORDER = "The order is Laplace nearest to the original, then the pDP Gaussian, then the classical one."


def unrun(asked: Experiment) -> str:
    """That the results take a while, and how to get them."""
    numbers = asked.counts.size * len(asked.settings) * asked.n_repeats
    return WAITING.format(seconds=max(1, round(numbers * 2.5e-8)))


def analytic(results: pd.DataFrame) -> str:
    """How near the analytic Gaussian, which the paper leaves out, comes in ℓ₁ distance."""
    mean = {
        name: {
            (row["epsilon"], row["delta"]): row["l1_mean"]
            for row in results.to_dict("records")
            if row["mechanism"] == name
        }
        for name in MECHANISMS
    }
    own = mean["analytic"]
    saved = [1 - value / mean["pdp"][place] for place, value in own.items()]
    nearer = sum(value < min(mean["pdp"][place], mean["classical"][place]) for place, value in own.items())
    over_laplace = sum(value < mean["laplace"][epsilon, 0.0] for (epsilon, _), value in own.items())
    settings = f"{len(own)} setting{'s' if len(own) > 1 else ''}"
    first = "in each of" if nearer == len(own) else f"in {nearer} of"
    low, high = (f"{nearest(100 * share, 2)} %" for share in (min(saved), max(saved)))
    range_said = low if low == high else f"from {low} to {high}"
    return (
        f"The paper leaves out the analytic Gaussian: it is nearer than both Gaussians {first} {settings}, its mean ℓ₁ "
        f"distance {range_said} below the pDP Gaussian's, and nearer than Laplace in {over_laplace}. It promises less "
        "than either: (ε, δ)-DP."
    )


def described(asked: Experiment) -> str:
    """The table and what is made of its releases, for a subtitle."""
    n = asked.counts.sum()
    return f"{asked.source}: {asked.counts.size:,} cells, n = {n:,.0f}; {_PROCESSED[asked.processing]}"


def released_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of one release."""
    few = f"; {asked.drawn.size} of the cells drawn" if asked.drawn.size < asked.counts.size else ""
    return f"{described(asked)}; ε = {given_up(asked.epsilon)}, δ = {given_up(asked.delta)}, seed {asked.seed}{few}"


def distances_subtitle(asked: Experiment) -> str:
    """The parameters of the picture of distances."""
    return f"{described(asked)}; mean ± standard deviation of {asked.n_repeats:,} releases, seed {asked.seed}"


def released_alternative(asked: Experiment) -> str:
    """What the picture of one release shows, in a sentence."""
    distances = {name: abs(row - asked.counts).sum() for name, row in (asked.released or {}).items()}
    listed = "; ".join(f"{NAMES[name]} {nearest(value)}" for name, value in distances.items())
    return f"One release by each mechanism against the original counts. The sum of the absolute errors: {listed}."


def distances_alternative(asked: Experiment) -> str:
    """What the picture of distances shows, in a sentence."""
    return f"{AXES[asked.distance]} of {len(asked.settings)} settings. {' '.join(answer(asked))}"


def table_html(asked: Experiment, results: pd.DataFrame) -> str:
    """The means and standard deviations, as an accessible HTML table."""
    heads = ["Mechanism", "Promise", "ε", "δ", "ℓ₁, counts", "KL(original ‖ released)", "KL(released ‖ original), nats"]
    body = []
    for row in results.to_dict("records"):
        distances = [f"{nearest(row[f'{name}_mean'])} ± {nearest(row[f'{name}_sd'], 2)}" for name in AXES]
        delta = given_up(row["delta"]) if row["delta"] else "–"
        name = row["mechanism"]
        body.append([NAMES[name], _promise(name, row), given_up(row["epsilon"]), delta, *distances])
    return text.table_html("Distances between releases and original", "readings", heads, body)


def _promise(mechanism: str, row: dict[str, float]) -> str:
    """What is promised, and of the classical Gaussian whether that is proved and kept."""
    if mechanism != "classical":
        return PROMISES[mechanism]
    word = str(CLASSICAL.status(row["epsilon"], row["delta"]).word)
    said = {PROVED: "", FAILS: ": ✗ FAILS"}.get(word, ": ! outside its proof, but kept")
    return f"{PROMISES[mechanism]}{said}"


def compared(asked: Experiment) -> str:
    """The comparisons that did not come out as published, in Markdown; empty if all did."""
    if asked.order is None:
        return ""
    others = asked.order[asked.order["verdict"] != "as published"].to_dict("records")
    if not others:
        return ""
    listed = [
        f"ε = {given_up(row['epsilon'])}, δ = {given_up(row['delta'])}, {_SHORT[row['measure']]}: "
        f"{NAMES[row['nearer']]} and {NAMES[row['farther']]} {_OTHER_VERDICTS[row['verdict']]}"
        for row in others[:6]
    ]
    more = f"; and {len(others) - 6} more" if len(others) > 6 else ""
    return f"Not as published: {'; '.join(listed)}{more}. Too close: the means are within two standard errors."


_SHORT = {name: label.split(",")[0].split(" (")[0] for name, label in AXES.items()}


def notes(asked: Experiment, possible_cells: float | None = None) -> str:
    """What to be wary of, in Markdown."""
    parts = [PROMISED]
    if asked.processing == "paper":
        parts.append(N_PUBLIC)
    if asked.data == "adult" and possible_cells is not None:
        parts.append(EMPTY_CELLS.format(possible=f"some {nearest(possible_cells, 1)}"))
    return "\n\n".join(parts)


def svm_said(scores: Sequence[SvmScore]) -> str:
    """Fig. 12 in a sentence: how far the scores are from the original's."""
    original, *others = scores
    first = f"Trained on the original counts, the machine predicts {_percent(original.accuracy)} of the test records."
    if not others:
        return first
    losses = [100 * (original.accuracy - score.accuracy) for score in others]
    low, high = (f"{loss:+.2f}".replace("-", "−") for loss in (-max(losses), -min(losses)))
    return (
        f"{first} Trained on released counts it is from {low} to {high} percentage points from that; each share has a "
        f"standard error of {100 * original.standard_error:.2f} points. Liu finds losses of 0.25 to 1 point."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def header(asked: Experiment) -> dict[str, str]:
    """The parameters and units for the top of a CSV."""
    return {
        "table": f"{asked.source}, n = {asked.counts.sum():,.0f}, {asked.counts.size} cells",
        "processing": _PROCESSED[asked.processing],
        "repeats": str(asked.n_repeats),
        "seed": str(asked.seed),
        "noise": "floating-point draws of a known seed: for trial, not a release",
        "units": "epsilon in nats; scale b of density e^(-(|x|/b)^p) and l1 in counts; KL in nats, pseudocount 1/2",
    }


def numbers_released(asked: Experiment) -> pd.DataFrame:
    """The release of each mechanism beside the original counts."""
    columns = {"count": asked.counts} | {name: np.asarray(row) for name, row in (asked.released or {}).items()}
    return pd.DataFrame(columns)


EXPLANATION = """\
**What is done** (Liu 2019, §4, doi:10.1109/TKDE.2018.2845388). Noise is added to each count, with scale $b=1/\\varepsilon$
for Laplace, Eq. 17 for the pDP Gaussian, Eq. 18 for the classical one, Corollary 9 at $p=3$ for the generalized one, and
the least σ of (ε, δ)-DP for the analytic one, which the paper doesn't have. A sensitivity of 1 is used: one person is in
one cell, and is added or removed.

**Distances.** $\\ell_1=\\sum|\\text{release}-\\text{count}|$. The KL divergences compare shares smoothed by a pseudocount of
½ in each cell (Jeffreys' prior) in both tables, $p\\propto\\text{count}+\\tfrac12$ and
$q\\propto\\max(0,\\text{release})+\\tfrac12$: $\\sum p\\ln(p/q)$ and $\\sum q\\ln(q/p)$, in nats. The paper used KL.Dirichlet of
the R package entropy and says neither which pseudocount nor which order, so its values may differ from these by that.

**Luck.** Noises of one family are the same draws times each setting's scale, so settings are compared on the same luck.
The link's seed draws the same numbers again. An order counts as come out where the difference of the means is above two
standard errors.
"""
