"""The sentences on the trial: what it shows, what of the user's own series is not drawn, and how a release draws."""

import numpy as np
import pandas as pd

from pages.framework.parameters import number_format
from pages.framework.parameters.number_format import escape_markdown
from pages.framework.session.data_files import box_key
from pages.series.over_time.text import LINE_NAMES
from pages.series.parameters import SERIES_SLOT
from pages.series.results import SeriesResult
from pages.shared.glossary_links import glossary_link


def trial_alternative_text(result: SeriesResult, frame: pd.DataFrame) -> str:
    """Return what the trial shows."""
    low, truth, high = (frame[name].to_numpy() for name in ("low", "truth", "high"))
    inside = np.count_nonzero((low <= truth) & (truth <= high))
    last = frame.iloc[-1]
    return (
        f"A trial with {result.setting.periods(len(frame))}: {inside:,} of {len(frame):,} bands contain the truth. The "
        f"last number is {number_format.format_nearest(last['published'])}, the truth "
        f"{number_format.format_nearest(last['truth'])}."
    )


def trial_errors_text(result: SeriesResult, frame: pd.DataFrame) -> str:
    """Return what the errors of the trial show."""
    off, alone = (np.abs(frame[name].to_numpy()).max() for name in ("error", "error_alone"))
    method = LINE_NAMES[result.over_time.chosen.strategy]
    return (
        f"The errors of the trial: at most {number_format.format_nearest(off)} by {method}, and "
        f"{number_format.format_nearest(alone)} by noise in each {result.setting.period} from the same seed."
    )


def own_series_text(result: SeriesResult) -> str:
    """Return what of the user's own series is not drawn, and why; empty without one."""
    setting, counts = result.setting, result.own_counts
    if not result.is_own:
        return ""
    if counts is None:
        missing = escape_markdown(result.problem) or "Your own series is missing: the link does not contain it."
        return f"{missing} [Upload or paste it](#{box_key(SERIES_SLOT)}), or choose invented counts."
    given, all_of = setting.periods(counts.size), setting.periods(setting.n_periods)
    if counts.size > setting.n_periods:
        return f"Your series has {given}, and T is {setting.n_periods:,}: the first {all_of} are drawn."
    if setting.noise.whole and not result.are_counts_whole:
        name = setting.noise.name
        return f"{name} noise needs whole numbers, and your series has others: choose a noise that is not whole."
    if result.counts is None:
        return f"Your series has {given}. All at the end, nothing appears before all {all_of} have ended."
    return ""


_WORDS = " and ".join(
    (
        glossary_link("series", "series and running totals"),
        glossary_link("square_root_mechanism", "the square root mechanism"),
    )
)
SAMPLER = (
    f"**The methods** have entries in the glossary: {_WORDS}.\n\n**The sampler.** This trial is for pictures. A "
    "release needs noise from a sampler that is safe in floating-point arithmetic, and a seed that nobody else knows. "
    "The noise of the method is drawn once for the whole series and stored, or drawn again from a secret seed: with "
    "fresh noise at every number the guarantee does not hold."
)
