"""The sentences of the section "Which groups appear"."""

import math

import numpy as np
import pandas as pd

from dpcore import unknown_groups
from dpcore.families import FAMILIES
from dpcore.unknown_groups import ThresholdRelease
from pages.framework.parameters.number_format import (
    capitalized,
    exact_text,
    format_input_up,
    format_nearest,
    format_up,
    percent,
    percent_down,
    plural,
    random_percent,
    table_html,
)
from pages.shared import statements
from pages.shared.counts.table import limit_text
from pages.shared.counts.table_notes import too_little_noise_text
from pages.shared.shared_parameters import glossary_link, guarantee_words
from pages.tables.appearance.results import ONLY_NAMES, Appearance
from pages.tables.parameters import THRESHOLD_NOISES
from pages.tables.results import TablesResult

_MOST_ROWS = 100
NAMES = {key: f"{FAMILIES[key].words} noise" for key in THRESHOLD_NOISES} | {ONLY_NAMES: "names only"}
NOTE = (
    "Groups may come from data: one appears only if its noisy count reaches the threshold "
    "(one person added or removed)."
)
FIXED_MINIMUM = (
    "⚠ A minimum without noise, as “fewer than 10 is suppressed”, is "
    f"{glossary_link('unknown_groups', 'not differentially private')}: who knows nine members sees a tenth."
)
OTHER = (
    "**A cell “other”** for what is dropped is one more group, which a person can be in: raise k by 1 for it, and make "
    "it of the records that a limit or a public rule drops, not of the groups that miss the threshold by chance."
)
EXPLANATION = r"""
**The mechanism.** Each person keeps at most k groups, and adds at most c to each. A group that somebody is in has its
count with noise, and appears if that is at least the threshold τ. A group that nobody is in never appears, so a group
in which a person is alone reveals this person. **The exact δ** counts both: with
$F=\Pr(c+\text{noise}<\tau)$ and the profile $\delta_j$ of the noise on j counts,

$$\delta(\varepsilon)=\max_{0\le m\le k}\max\{1-F^m+F^m\,\delta_{k-m}(\varepsilon-m\ln F),
\ \delta_{k-m}(\varepsilon+m\ln F)\}.$$

The δ of the noise and that of the threshold are not added (Wilkins, Kifer, Zhang & Karrer 2024; both directions own).
Gaussian noise has the least σ of k counts; Laplace noise has the scale kc/ε; each has the least τ with δ(ε) ≤ δ, and
the page rounds both up to the digits that it shows.

**Names alone.** The largest probability with which a group of n people may appear is, for k = 1,
$\pi_n=\min(e^{\varepsilon}\pi_{n-1}+\delta,\ 1-e^{-\varepsilon}(1-\pi_{n-1}-\delta),\ 1)$ with $\pi_0=0$
(Desfontaines, Voss, Gipson & Mandayam 2022). For k groups, each has an (ε₀, δ₀) that together satisfy (ε, δ) by optimal
composition (Kairouz, Oh & Viswanath 2015). Truncated geometric noise on −N … N with τ = N + 1 nearly reaches it, and
has the count too.

**A limit N in all** makes the noise that of N: Laplace noise has the scale min(kc, N)/ε, Gaussian noise the σ of the
split of N with the largest norm, and truncated noise the end of that split. Over P years NP stands for N. F is that
of c in each of min(k, N) groups, as without this limit: no split of N needs a larger threshold.

**Neighbours** differ in one person who is added or removed, with all groups of this person.
"""


def answer_text(result: TablesResult) -> tuple[str, ...]:
    """Return from which size on a group appears, how many do, and by which noise."""
    appearance, setting = result.appearance, result.setting
    if appearance.problem:
        return f"{appearance.problem}.", "Change k, c, ε or δ, or the table."
    groups = ""
    if appearance.n_groups:
        n, share = appearance.expected(appearance.shown_release)
        groups = f": {_average(n)} of {plural(appearance.n_groups, 'group')}, with {percent_down(share, 3)} of cases"
    first = (
        f"From {appearance.least_size(appearance.key):,.0f} {counted_unit(appearance)} on a group appears with "
        f"{percent(appearance.probability)} probability{groups}."
    )
    if result.least_per_cell > setting.per_cell:
        return first, too_little_noise_text(result.least_per_cell, setting.per_cell)
    noise = noise_text(appearance.shown_release)
    size = format_up(appearance.count_half_width(setting.significance))
    noise += guarantee_words(setting.epsilon, setting.delta)
    return first, f"{capitalized(noise)}, each count within ±{size}; {_why_text(appearance)}"


def _why_text(appearance: Appearance) -> str:
    """Return why the noise is shown, or from which size on groups would appear with the least threshold."""
    own, least = appearance.own_threshold, appearance.least_threshold
    if own > least:
        size = float(unknown_groups.least_size(appearance.least_ways[appearance.key], appearance.probability))
        return f"with the least safe threshold, {format_up(least)}, it is from {size:,.0f} on."
    reason = f"{reason_text(appearance)}."
    if appearance.is_own_too_low:
        allowed = f"τ must be at least {format_up(least)} here"
        return f"{reason} ⚠ {allowed}; {format_input_up(own)} was given. {format_up(least)} is used instead."
    return reason


def _average(n: float) -> str:
    """Return how many groups appear on average, without more digits than matter.

    >>> _average(124.6), _average(3.47), _average(0.04)
    ('about 125', 'about 3.5', 'almost none')
    """
    return "almost none" if n < 0.1 else f"about {format_nearest(n, 3 if n >= 100 else 2)}"


def noise_text(release: ThresholdRelease, *, exact: bool = False) -> str:
    """Return the noise and the threshold, as they are shown; `exact` has all digits that the noise needs.

    >>> from dpcore.unknown_groups import threshold
    >>> noise_text(threshold(1, 1e-6, 3, "truncated_geometric"))
    'truncated geometric noise on −40 … 40, scale 3, threshold 41'
    """
    name, scale = NAMES[release.noise], float(release.scale)
    threshold = f"threshold {format_up(float(release.threshold))}"
    if release.noise == "truncated_geometric":
        end, scale_text = f"{float(release.bound):,.0f}", exact_text(scale) if exact else format_up(scale)
        return f"{name} on −{end} … {end}, scale {scale_text}, threshold {float(release.threshold):,.0f}"
    return f"{name}, {'σ' if release.noise == 'gaussian' else 'b'} = {format_up(scale)}, {threshold}"


def reason_text(appearance: Appearance) -> str:
    """Return why the noise is recommended, or which is, with the sizes that others need."""
    sizes = {key: appearance.least_size(key) for key in THRESHOLD_NOISES if key in appearance.ways}
    best = appearance.recommended
    if appearance.key != best and sizes[best] < sizes[appearance.key]:
        return f"with {NAMES[best]} it is from {sizes[best]:,.0f} on"
    own = sizes[appearance.key]
    unit, others = counted_unit(appearance), [key for key in sizes if key != appearance.key]
    parts = [
        f"{NAMES[key] if not place else NAMES[key].removesuffix(' noise')} {'needs ' * (not place)}{sizes[key]:,.0f}"
        f"{f' {unit}' * (not place)}"
        for place, key in enumerate(sorted(others, key=lambda key: sizes[key]))
    ]
    needed = ", ".join(parts) or "no other noise satisfies this here"
    if appearance.key != best:
        return needed
    if best == "truncated_geometric" and own in (sizes[key] for key in others):
        also = needed.replace(" needs ", " also needs ", 1)
        return f"recommended: whole and bounded; {also}"
    return f"recommended, since {needed}"


def counted_unit(appearance: Appearance) -> str:
    """Return what the counts of the groups count."""
    return "people" if appearance.c == 1 else "records"


def comparison_text(result: TablesResult) -> str:
    """Return what differs from the pinned setting."""
    pinned = result.pinned
    if pinned is None or result.appearance.problem or pinned.appearance.problem:
        return ""
    before = pinned.appearance
    return f"Pinned ({pinned.parameters_text}): from {before.least_size(before.key):,.0f} on."


def subtitle(result: TablesResult) -> str:
    """Return the parameters of the charts."""
    appearance = result.appearance
    c = "" if appearance.c == 1 else f", c = {appearance.c:,}"
    total = "" if math.isinf(appearance.total) else f", N = {appearance.total:,.0f}"
    return f"{result.setting.guarantee_text}, k = {appearance.groups_per_person:,.0f}{c}{total}"


def size_alternative(appearance: Appearance) -> str:
    """Return what the chart over the size shows."""
    sizes = ", ".join(f"{NAMES[key]} from {appearance.least_size(key):,.0f}" for key in appearance.ways)
    return f"The probability that a group appears rises with its size: {percent(appearance.probability)} by {sizes}."


def alternative_text(appearance: Appearance, frame: pd.DataFrame, column: str, symbol: str) -> str:
    """Return what a chart over k or ε, called `symbol`, shows of a column."""
    rows = frame[frame["way"] == appearance.key]
    written = _average if column == "groups" else random_percent
    ends = ", ".join(
        f"{written(value)} at {symbol} = {format_input_up(at)}"
        for at, value in zip(rows.iloc[:, 0], rows[column], strict=True)
    )
    subject = "number of groups" if column == "groups" else "share of the cases in groups"
    return f"The {subject} that appear, on average, by {NAMES[appearance.key]}: {ends}."


def steps_text(result: TablesResult) -> str:
    """Return what to do, in three steps."""
    release, setting = result.appearance.shown_release, result.setting
    noise = noise_text(release, exact=True)
    return statements.steps_text(
        f"Make sure that {limit_text(result.values)}, and count only groups that somebody is in.",
        f"**Add {noise.rpartition(', ')[0]}** to each count, drawn anew for each.",
        f"Publish the groups whose noisy count is at least {format_up(float(release.threshold))}, with ε = "
        f"{format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)} and the conditions.",
    )


def names_text(appearance: Appearance) -> str:
    """Return what the names alone would give, where a person counts once in a group."""
    if ONLY_NAMES not in appearance.ways:
        return ""
    least = appearance.least_size(ONLY_NAMES)
    return (
        f"**Names only** (dotted): a release of names without counts, by the best method. A group then appears so "
        f"often from {least:,.0f} people on."
    )


def chances_html(result: TablesResult) -> str:
    """Return the largest groups with their probability, as HTML."""
    appearance, table = result.appearance, result.table
    order = np.argsort(-appearance.counts, kind="stable")[:_MOST_ROWS]
    names = [f"group {place + 1}" for place in order] if table is None else table.frame["cell"].iloc[order].tolist()
    rows = [
        [str(name), f"{count:,.0f}", random_percent(chance)]
        for name, count, chance in zip(names, appearance.counts[order], appearance.chances[order], strict=True)
    ]
    return table_html("Groups and how probably they appear", "readings", ["Group", "Count", "Appears"], rows)


def chances_alternative(appearance: Appearance) -> str:
    """Return what the table shows."""
    n = int(np.sum(appearance.chances >= appearance.probability))
    return (
        f"The probability of each group to appear: {n:,} of {plural(appearance.n_groups, 'group')} with at least "
        f"{percent(appearance.probability)}."
    )
