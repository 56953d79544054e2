"""The sentences and statements of the section "A quantile". These have only range and step of the user's own values."""

from collections.abc import Callable
from dataclasses import replace

from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.panels import number
from pages.framework.parameters.number_format import (
    capitalized,
    escape_markdown,
    exact_text,
    format_input_down,
    format_input_up,
    format_up,
    percent,
    percent_up,
    pin_sentence,
    table_html,
    uncapitalized,
)
from pages.median.parameters import MOST_PEOPLE
from pages.median.quantile.results import LEAST_SHOWN, RARE, QuantileRelease, QuantileResult
from pages.median.results import MedianResult, range_conditions
from pages.shared.formulas import share
from pages.shared.release_program.program import Choice, quantile_statistic, release_downloads, with_records
from pages.shared.shared_parameters import glossary_link
from pages.shared.statements import Release, in_full, off_by, release_statements, steps_text
from pages.shared.values.parameters import (
    VALUES_BOX,
    amount,
    amount_up,
    entered_amount,
    quantile_name,
    unit_after,
    with_unit,
)

WIDER = "A release can only lie between lo and hi, and so it would always miss."
MISSING = f"[Upload or paste your values](#{VALUES_BOX}), or choose a distribution."
EXPLANATION = r"""
**The release.** Each value v that can be released has a score: how many people would have to be added or removed until
v is the quantile, but for a factor, $u(v)=-\max\left(0,\ n_{<v}-qn,\ qn-n_{\le v}\right)$. One person moves it by at
most $\Delta=\max(q,1-q)$ if a person is added or removed, and by 1 if one is replaced. **Permute-and-flip** (McKenna &
Sheldon 2020) takes the values in a random order and releases the first whose coin of probability
$e^{\varepsilon(u(v)-\max u)/(2\Delta)}$ shows heads. It is ε-DP, and its expected score is never below that of the
exponential mechanism. Its probabilities are computed exactly, as the integral $q_r\int_0^1\prod_{s\ne r}(1-tq_s)\,dt$,
and ± is the least distance from the true quantile that releases keep in the stated share.

**Any number of a range.** The exponential mechanism (Smith 2011) draws v with a density $\propto
e^{-\varepsilon|n_{<v}-qn|/(2\Delta)}$, which is constant between neighbouring values: its distribution is exact too.
Where many people have the same value, it is off by up to the distance to the next different values, at every ε.

**Noisy binary search**, as it is often programmed, asks $\lceil\log_2m\rceil$ of the m values in turn whether
$n_{\le v}-qn$ plus Laplace noise is below 0, and each answer has its part of ε. Its distribution is exact too.

**Public figures** stand for a typical sample: the quantiles at $(i-\tfrac12)/n$ of the distribution, rounded to the
step. The true quantile lies linearly between two values, as in NumPy. **The cliff** is a release beyond the least or
the greatest value: the empty part of the range has a probability that grows with its width.

**A sample.** If the people are a random sample, the quantile of all lies between two order statistics, by the binomial
distribution. Both errors together are the least sum over several ways to share 1 − confidence; no independence is used.

In ranks the error of a median is about $\pm\ln(1/\alpha)/\varepsilon$ people if a person is added or removed, however
many there are; in the unit of the values it is that divided by how many people there are to the unit.
"""
GRID_SAMPLER = (
    "**Sampler.** The guarantee assumes exact coins: `dpcore.quantiles.sample` draws in whole numbers and "
    f"fractions only ({glossary_link('exact_samplers', 'floating point and exact samplers')})."
)
CLIFF = (
    f"**{glossary_link('cliff', 'The cliff')}.** Where the range goes on beyond all values, a release may be anywhere "
    "in its empty part. That is rare where many people lie between the quantile and the end of the data, for this ε. "
    "Beyond a maximum lies nobody: its release is anywhere in the empty part above it. **That is why a maximum cannot "
    "be published**: publish a high quantile, within a range that is no wider than public knowledge demands."
)
_WHICH = {
    "yours": "This release",
    "wide": "Range twice as wide",
    "half": "Half of ε",
    "double": "Twice ε",
    "exponential": "Exponential mechanism on the same steps",
    "binary_search": "Noisy binary search on the same steps",
    "any_number": "Any number of the range, by the exponential mechanism",
    "population": "For all people of whom these are a random sample",
}


def answer_text(result: MedianResult) -> tuple[str, ...]:
    """Return the ± of the release, what it would be with wider bounds, and when it falls off the cliff."""
    setting = result.setting
    if problem := result.problem_text:
        return escape_markdown(problem), MISSING if result.values is None and setting.is_own else WIDER
    return *answer_sentences(result, result.quantile), *pin_text(result, lambda part: part.quantile.error)


def pin_text(result: MedianResult, error_of: Callable[[MedianResult], float]) -> tuple[str, ...]:
    """Return the ± of the pinned setting and of this one; nothing without a pin that has one."""
    if result.compared is None:
        return ()
    parts = ((amount_up(error_of(part)), escape_markdown(part.setting.unit)) for part in (result.compared, result))
    old, new = (f"±{with_unit(error, unit)}" for error, unit in parts)
    return (pin_sentence(f"{old} → {new}"),)


def answer_sentences(result: MedianResult, release: QuantileResult) -> tuple[str, ...]:
    """Return the sentences of the answer."""
    setting, unit = result.setting, escape_markdown(result.setting.unit)
    error = amount_up(release.error)
    people = release.release.counted(release.n_values)
    yours = f"your {people}" if setting.is_own else people
    within = f"{f'within **±{error}** {unit_after(error, unit)}'.rstrip()} of the true one"
    if release.error == 0 and (step := release.release.step):
        within = f"**the true one**, to steps of {_step_text(step, unit)} (±0),"
    first = (
        f"The published {quantile_name(setting.quantile)} is {within} in {share(setting.significance)} of releases "
        f"(ε = {format_input_up(setting.epsilon)}, {yours})."
    )
    wide = release.release.wide
    wider = f"range doubled to hi = {entered_amount(wide.high)}: ±{amount_up(release.wide_error)}"
    return first, f"{mechanism_words(release.release)}; {wider}; {cliff_words(release)}."


def accepted_text(result: MedianResult) -> str:
    """Return how many people, and which ε, are enough for the ± that is accepted."""
    setting, release = result.setting, result.quantile
    accepted = entered_amount(setting.accuracy)
    epsilon = release.enough_epsilon(setting.accuracy)
    enough = ["no ε is enough" if epsilon is None else f"ε = {format_up(epsilon, 3)}"]
    joint = ", or "
    if release.people is not None:
        n, counted = release.enough_people(setting.accuracy), release.release.counted
        enough.insert(0, f"{counted(MOST_PEOPLE)} are too few" if n is None else counted(n))
        joint = "; " if n is None or epsilon is None else joint
    return f"**For ±{with_unit(accepted, escape_markdown(setting.unit))}**: {joint.join(enough)}."


def cliff_words(release: QuantileResult) -> str:
    """Return from which ε on a release beyond all values is rare, and how probable it is where it is not."""
    edge, people = release.epsilon_without_cliff, release.people_without_cliff
    or_people = "" if people is None else f" or {release.release.counted(people)}"
    if edge is None:
        return f"{percent_up(release.cliff, 3)} of releases are beyond all values, and no ε makes that rare"
    if release.cliff > RARE:
        start = f"{percent_up(RARE)} from ε = {format_up(edge, 3)}{or_people} on"
        return f"⚠ {percent_up(release.cliff, 3)} of releases are beyond all values, {start}"
    start = f"from ε = {format_up(edge, 3)}{or_people} on"
    if edge == LEAST_SHOWN:
        start = f"at every ε from {exact_text(LEAST_SHOWN)} on"
    return f"{start}, at most {percent_up(RARE)} of releases are beyond all values"


def mechanism_words(release: QuantileRelease) -> str:
    """Return how the release is drawn, with the values that it can have."""
    low, high = entered_amount(release.low), entered_amount(release.high)
    if release.step is None:
        return f"By the exponential mechanism on {low} to {high}"
    shown = [amount(value, 6) for value in release.candidates.tolist()]
    listed = ", ".join(shown) if len(shown) <= 4 else f"{', '.join(shown[:2])}, …, {shown[-1]}"
    return f"By permute-and-flip on {listed}"


def _drawn_words(release: QuantileRelease) -> str:
    """Return how the release is drawn, within a sentence: with the part of ε of each of several values of a person."""
    part = f", at ε/{release.n_own:,}" if release.n_own > 1 else ""
    return f"{uncapitalized(mechanism_words(release))}{part}"


def epsilon_code(release: QuantileRelease) -> str:
    """Return the ε of one value of a person as code: ε ÷ N."""
    return f"{number(release.epsilon)}{f' / {release.n_own}' if release.n_own > 1 else ''}"


def keep_text(n_own: int) -> str:
    """Return what to do so that no person has more values than are allowed.

    >>> keep_text(1), keep_text(4)
    ('Make sure that each person has one value', 'Keep at most 4 values of each person, chosen at random')
    """
    if n_own == 1:
        return "Make sure that each person has one value"
    return f"Keep at most {n_own:,} values of each person, chosen at random"


def quantile_steps_text(result: MedianResult) -> str:
    """Return what to do in three steps; the ± is not among what is published, as it depends on the values."""
    return steps_text(
        f"{keep_text(result.setting.n_own)}, and choose the range without the data.",
        f"Draw the {quantile_name(result.setting.quantile)} **{_drawn_words(result.quantile.release)}**, once.",
        f"Publish it with ε = {format_input_up(result.setting.epsilon)}, the range and the conditions. The ± depends "
        "on the values: that of your own is not for publication.",
    )


def values_text(result: MedianResult) -> str:
    """Return the guarantee and the values in words; of the user's own nothing but their name."""
    setting = result.setting
    guarantee = f"ε = {format_input_up(setting.epsilon)}"
    if setting.is_own:
        return f"{guarantee}, own values"
    return f"{guarantee}, {setting.figures_text}, n = {format_input_down(setting.n_records)}"


def release_alternative(result: QuantileResult) -> str:
    """Return what the chart over the whole range shows."""
    release = result.release
    return (
        f"Shares of the people and of the releases between {entered_amount(release.low)} and "
        f"{entered_amount(release.high)}: the true quantile is {amount(result.truth)}, and "
        f"{percent_up(result.cliff)} of the releases are beyond all values."
    )


def near_alternative(result: QuantileResult) -> str:
    """Return what the chart about the true quantile shows."""
    return (
        f"The releases about the true quantile, {amount(result.truth)}: all but {percent(result.significance)} are "
        f"within ±{amount_up(result.error)}."
    )


def epsilon_alternative(result: QuantileResult) -> str:
    """Return what the chart over ε shows."""
    frame = result.over_epsilon
    column = frame.columns[1]
    rows = frame.iloc[[0, -1]][[column, "epsilon"]].itertuples(index=False)
    ends = [f"±{amount_up(error)} at ε = {format_up(epsilon)}" for error, epsilon in rows]
    return f"The ± over ε: {' and '.join(ends)}. Where no line is drawn it is 0: the release is the true quantile."


def choices_html(result: QuantileResult) -> str:
    """Return the table of what else the release could be, as HTML."""
    rows = [[_WHICH[choice], f"±{amount_up(error)}"] for choice, error in result.choices.itertuples(index=False)]
    return table_html("What the error depends on", "readings", ["Release", "Error"], rows)


def choices_alternative(result: QuantileResult) -> str:
    """Return what the table shows."""
    return (
        f"The ± of this release, {amount_up(result.error)}, and of others: with a range twice as wide, at half and "
        "twice of ε, by other mechanisms, and for all people of whom these are a sample."
    )


_PROOFS = {
    "permute_and_flip": "McKenna & Sheldon 2020, for a score that one person moves by max(q, 1 − q), or 1 if replaced",
    "exponential": "the exponential mechanism of McSherry & Talwar 2007, as in Smith 2011",
}


def statements(result: MedianResult) -> Statements | None:
    """Return the statements on the release; None without an answer."""
    if result.problem_text:
        return None
    setting, release = result.setting, result.setting.quantile_release
    name = quantile_name(setting.quantile)
    low, high = in_full(entered_amount(setting.low)), in_full(entered_amount(setting.high))
    stated = Release(
        noise=f"The published {name} is drawn at random from {low} to {f'{high} {setting.unit}'.rstrip()}, "
        "more probably near the exact one",
        error=_error(result, name),
        mechanism=_drawn_words(release),
        proof=_PROOFS[release.outputs.mechanism],
        epsilon=format_input_up(setting.epsilon),
        neighbours=setting.neighbours,
    )
    return release_statements(stated, range_conditions(result))


def downloads(result: MedianResult) -> Downloads | None:
    """Return the program that draws the quantile, on its steps or of any number of the range."""
    setting, release = result.setting, result.setting.quantile_release
    if result.problem_text:
        return None
    mechanism, is_replace = release.outputs.mechanism, setting.neighbours == "replace"
    draw = Choice(mechanism, setting.epsilon, is_replace, quantile=setting.quantile)
    choice = draw.among(setting.low, setting.high, release.step, lambda: release.candidates.size)
    name, assumed = quantile_name(setting.quantile), values_text(result).partition(", ")[2]
    half_width = None if setting.is_own else result.quantile.error
    statistic = quantile_statistic(capitalized(name), choice, half_width, setting.significance, assumed)
    return release_downloads(
        (replace(with_records(statistic, setting.n_own), unit=setting.unit),),
        (setting.epsilon, 0.0),
        setting.neighbours,
        range_conditions(result),
        lambda: statements(result),
    )


def _error(result: MedianResult, name: str) -> tuple[str, str]:
    """Return the error that the page states, for which values; that of the user's own values says much of them."""
    setting = result.setting
    if setting.is_own:
        return "", "How far off it is depends on the values, and so it is not for publication"
    error, assumed = result.quantile.error, values_text(result).partition(", ")[2]
    public, numbers = off_by(f"the published {name}", error, setting.significance, setting.unit, is_at_least=True)
    if error == 0 and (step := setting.quantile_release.step):
        public = f"{public} to steps of {_step_text(step, setting.unit)}"
    figures = f"{setting.figures_text} {setting.unit}".rstrip()
    people = setting.quantile_release.counted(int(setting.n_records))
    joint = "and values with" if setting.n_own == 1 else "with"
    condition = f"For {people} {joint} {figures}, as assumed beforehand"
    return f"{condition}: {public[:1].lower()}{public[1:]}", f"{numbers} (assumed: {assumed})"


def _step_text(step: float, unit: str) -> str:
    return with_unit(entered_amount(step), unit)
