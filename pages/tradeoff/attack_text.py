"""The words of an attack: what it proved, and what that does not say."""

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.audit import Band, Proved
from dpcore.checks import Array
from pages.framework.parameters.number_format import escape_markdown, format_down, format_input_down
from pages.tradeoff.attack import Measured
from pages.tradeoff.rows import Row, TradeoffSetting
from pages.tradeoff.text import share_of

TRIALS = "Each trial is a run of the mechanism of its own, in which a coin decides whether the person is in the data."
NO_ATTACK = (
    "**Measure the claim.** Below, bring the scores that an attack assigned to members and non-members, or its counts, "
    "or take an invented example. The page shows which ε and μ these results prove, and whether they contradict the "
    "chosen curve.\n\n"
    f"**What it takes.** {TRIALS} Results of many people in one run are not independent: such an audit needs a test of "
    "its own (Steinke, Nasr & Jagielski 2023). And if members differ from the others in anything else, such as the "
    "year of their data, a test may distinguish them by that, and seems to refute a mechanism that ignores the data."
)
MISSING = (
    "**The results of the attack are missing.** This link was made with results of somebody's own, which it does not "
    "contain. Bring them below."
)
GLOSSARY = (
    "**μ ≥ x**: the two data sets are no harder to tell apart than a draw of N(0, 1) and one of N(x, 1). **Hull**: "
    "what is reached by choosing at random among the measured tests. **Worst true errors**: what the measured errors "
    "may really be, at this confidence."
)
NOT_PROVED = (
    "**It does not prove privacy**: a better attack may reach more, and on other data too. The confidence speaks of "
    "independent runs of the mechanism, in each of which a coin decided who is in the data: for many records that "
    "were scored in one run, or members that differ from the others in anything else, it does not hold. Points "
    "given as counts must have been fixed before looking at these data; for scores the thresholds are chosen by "
    "rank, and ties are broken at random from the seed."
)


def proved_text(epsilon: Proved, mu: Proved, setting: TradeoffSetting) -> str:
    """What the attack's results prove, and at which confidence."""
    return (
        f"With {share_of(setting.confidence)} confidence, this attack proves ε ≥ {format_down(float(epsilon.value))} at"
        f" δ = {format_input_down(setting.delta)} and μ ≥ {format_down(float(mu.value))}."
    )


def verdict(broken: dict[str, NDArray[np.bool_]], row: Row) -> str:
    """Whether the results contradict the chosen claim, and others."""
    chosen = broken[row.name]
    claim = (
        f"That no attack does better than {escape_markdown(row.name)}"
        if row.reached
        else f"The claim {escape_markdown(row.name)}"
    )
    if chosen.any():
        bounds = f"{int(chosen.sum())} of {chosen.size} bound{'s' if chosen.size > 1 else ''}"
        said = f"**✗ {claim} is contradicted** at {bounds}, if each trial was a run and a coin of its own."
    else:
        said = f"{claim} is not contradicted."
    others = [escape_markdown(other) for other, places in broken.items() if places.any() and other != row.name]
    if others:
        said += f" Of the other curves, {' and '.join(others)} {'are' if len(others) > 1 else 'is'} contradicted."
    return said


def contradicted_curve(sentence: str, row: Row) -> str:
    """What the chosen curve says, below the headline that an attack contradicts it; points stay what was reached."""
    return sentence if row.reached else f"What the contradicted claim says: {sentence[0].lower()}{sentence[1:]}"


def points_text(measured: Measured) -> str:
    """What the proof rests on."""
    count = measured.attack.alpha.size
    points = f"{count:,} measured point{'s' if count != 1 else ''} of {escape_markdown(measured.source)}"
    return f"The proof is from {points}, all bounds holding at once."


def band_frame(band: Band, broken: Array | NDArray[np.bool_]) -> pd.DataFrame:
    """The measured errors, the bounds on the true ones, and whether they contradict the chosen claim."""
    columns = {"alpha": band.alpha, "beta": band.beta, "alpha_high": band.alpha_high, "beta_high": band.beta_high}
    return pd.DataFrame(columns | {"contradicts": broken})


def advice(broken: NDArray[np.bool_], row: Row) -> str:
    """What to do about the outcome of an attack."""
    if broken.any() and not row.reached:
        return (
            f"**What to do.** Do not rely on {escape_markdown(row.name)}: look for the error in its proof, its"
            " sensitivity or its code, or in how the attack was measured, before anything more is released."
        )
    if broken.any():
        return "**What to do.** Take these results for what is reachable: they go beyond the points."
    if row.reached:
        return "**What to do.** Try stronger attacks: neither these points nor this result is a guarantee."
    return "**What to do.** Try stronger attacks. Rely on the claim for its proof, and not for this result."
