"""The words of the Accuracy page: its answer, and what to do."""

import math
from urllib.parse import urlencode

from dpcore.calibrations import PURE_DP, Calibration
from pages.accuracy.parameters import QUERY
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import MechanismRow, RecommendedRow, Rows, best_pure, recommended, value
from pages.framework.parameters.number_format import (
    beyond,
    escape_markdown,
    exact_text,
    format_input_up,
    format_up,
    share,
    within,
)
from pages.shared.formulas import AS_GOOD, NO_SAMPLER, step_share
from pages.shared.site_map import TABLES

_MUCH = 10  # an ε beyond which a promise says little: a probability may change by the factor 22,026
_MUCH_LESS = 0.99  # of a ± or an ε: a noise that gains less is not worth a word
_ONLY_GAUSSIAN = "At so small an ε, pure ε-DP, probabilistic DP and the classical formula have none here."


def _as_shown(value: float) -> float:
    return math.inf if math.isnan(value) else float(format_up(value).replace(",", "").replace("above ", ""))


def _noise(rule: Calibration) -> str:
    """The noise within a sentence."""
    named = {"laplace": "Laplace", "gaussian": "analytic Gaussian", "discrete_gaussian": "discrete Gaussian"}
    return f"{named.get(rule.family, rule.family)} noise"


def reach(value: float, unit: str) -> str:
    """A half-width that was found, in Markdown."""
    return f"±{format_up(value)} {escape_markdown(unit)}".rstrip()


def aim(setting: AccuracySetting) -> str:
    """The half-width that is wanted, in Markdown."""
    return f"±{format_input_up(setting.accuracy)} {escape_markdown(setting.asked.unit)}".rstrip()


def kept(significance: float) -> str:
    """How many releases fall within the accuracy, without what they do.

    >>> kept(0.05), kept(1 / 3)
    ('95 of 100 releases', 'at least 66.66 % of releases')
    """
    return within(significance).rsplit(" ", 1)[0]


def answer(
    answers: Rows, setting: AccuracySetting, before: tuple[Rows, AccuracySetting] | None = None
) -> tuple[str, ...]:
    """The page's answer for the promise that is ticked, what it means, and what a kept setting had."""
    said = _accuracy_answer(answers, setting) if setting.wanted is None else _epsilon_answer(answers, setting)
    return said if before is None else (*said, _compared((answers, setting), before))


def _compared(after: tuple[Rows, AccuracySetting], before: tuple[Rows, AccuracySetting]) -> str:
    """The ε, the ± and the noise of a kept setting and now."""
    changes = []
    for was, becomes in zip(_summed(*before), _summed(*after), strict=True):
        changes.append(was if was == becomes else f"{was} → {becomes}")
    return f"Pinned ({kept_place(before[1])}) → now: {', '.join(changes)}."


def _summed(answers: Rows, setting: AccuracySetting) -> tuple[str, str, str]:
    found = recommended(answers, setting).row
    epsilon = f"ε = {format_input_up(setting.epsilon)}" if setting.wanted is None else epsilon_is(found.epsilon)
    found_reach = "no ±" if math.isnan(found.accuracy) else reach(found.accuracy, setting.asked.unit)
    return epsilon, found_reach if setting.wanted is None else aim(setting), _noise(found.calibration)


def kept_place(setting: AccuracySetting) -> str:
    """What tells a kept setting from others."""
    known = (
        f"ε = {format_input_up(setting.epsilon)}"
        if setting.wanted is None
        else f"wanted ±{format_input_up(setting.accuracy)}"
    )
    query = {**QUERY.options, "own": "Own query"}[setting.query].lower()
    return f"{query}, {known}, δ = {format_input_up(setting.delta)}, {share(setting.significance)} of releases"


def _accuracy_answer(answers: Rows, setting: AccuracySetting) -> tuple[str, str]:
    place, unit, normal = f"At ε = {format_input_up(setting.epsilon)}", setting.asked.unit, answers["analytic"]
    if math.isnan(answers["laplace"].accuracy):
        if math.isnan(normal.accuracy):
            return f"{place}, no noise that numbers can hold keeps the promise.", "Raise ε or δ."
        found = recommended(answers, setting).row
        only = f"only Gaussian noise has an answer: {_falls(found, setting)} within"
        return (
            f"{place}, {only} {reach(found.accuracy, unit)} of the truth with {_noise(found.calibration)}.",
            f"{_misses(setting, found)} {_ONLY_GAUSSIAN}",
        )
    found = recommended(answers, setting).row
    sentence = f"{place}, {_falls(found, setting)} within {reach(found.accuracy, unit)} of the truth with "
    other = normal if found.calibration.promise == PURE_DP else best_pure(answers, setting).row
    beside = "" if math.isnan(other.accuracy) else f"reaches {reach(other.accuracy, unit)}"
    return f"{sentence}{_noise(found.calibration)}.", _meaning(found, other, beside, setting)


def _falls(found: MechanismRow, setting: AccuracySetting) -> str:
    """How many releases fall within the accuracy, which for whole-numbered noise may be more than were asked for."""
    said = within(setting.significance)
    if not found.calibration.whole or said.startswith("at least"):
        return said
    return said.replace("all but", "all but at most") if said.startswith("all but") else f"at least {said}"


def _epsilon_answer(answers: Rows, setting: AccuracySetting) -> tuple[str, str]:
    found, normal = recommended(answers, setting).row, answers["analytic"]
    sentence = (
        f"To have {kept(setting.significance)} within {aim(setting)} of the truth you need {epsilon_is(found.epsilon)}"
        f" with {_noise(found.calibration)}."
    )
    other = normal if found.calibration.promise == PURE_DP else best_pure(answers, setting).row
    beside = "" if math.isnan(other.epsilon) else f"needs {epsilon_is(other.epsilon)}"
    return sentence, _meaning(found, other, beside, setting)


def _meaning(found: MechanismRow, other: MechanismRow, beside: str, setting: AccuracySetting) -> str:
    """How many miss, which promise that is, and what the noise of the other promise does, if anything."""
    spends = f"(ε, δ)-DP, which spends δ = {format_input_up(setting.delta)}"
    if found.calibration.promise == PURE_DP:
        rival = (
            f"the analytic Gaussian {beside}, for {spends}" if beside else "the analytic Gaussian has no answer here"
        )
        return f"{_misses(setting, found)} That is pure ε-DP; {rival}."
    return (
        f"{_misses(setting, found)} That is {spends}; {_noise(other.calibration)}, pure ε-DP, {beside or 'has none'}."
    )


def recommendation(answers: Rows, setting: AccuracySetting) -> str:
    """What to do for the promise that is ticked, and why."""
    best = recommended(answers, setting)
    found = best.row
    epsilon = setting.epsilon if setting.wanted is None else found.epsilon
    if math.isnan(found.accuracy if setting.wanted is None else found.epsilon):
        return "**What to do:** raise ε or δ; no noise keeps the promise here."
    if setting.wanted is not None and epsilon > 1e6:
        return "**What to do: accept a larger error.** This one takes an ε above 1e6: no privacy worth the name."
    size = reach(found.accuracy, setting.asked.unit) if setting.wanted is None else epsilon_is(found.epsilon)
    head = f"**What to do: add {_noise(found.calibration)}{_amount(found, setting)}**, for {size}."
    larger = "accept a larger error" if setting.wanted is not None else "lower it"
    little = f" An ε above {_MUCH:.0f} promises little: {larger}." if epsilon > _MUCH else ""
    return f"{head} {_why(best, answers, setting)}{little}"


def _why(best: RecommendedRow, answers: Rows, setting: AccuracySetting) -> str:
    """Why the recommended noise is: by the rule of Tables, with what a narrower noise lacks."""
    rule, by = best.row.calibration, "±" if setting.wanted is None else "ε"
    if rule.promise != PURE_DP and setting.promise == "pure":
        return "It keeps (ε, δ)-DP, not the pure ε-DP that you ask for: that has no noise at so small an ε."
    if rule.promise != PURE_DP and math.isnan(value(best_pure(answers, setting).row, setting)):
        return f"No noise of pure ε-DP has an answer at so small an ε.{_discrete(setting)}"
    if best.because is None:
        return ""
    keeps = "pure ε-DP" if setting.promise == "pure" else "what you ask for"
    runner_up = best.because.runner_up
    rival = None if runner_up is None else answers[runner_up.key]
    said = {
        "only": f"Of the noises here only this one keeps {keeps} and can be released safely.",
        "smallest": f"Of the noises here that keep {keeps} and can be released safely it has the smallest {by}.",
        "whole": (
            f"{_as_good(rival, setting)}, and answers stay whole: an exact sampler in whole numbers leaves no last "
            "digits of a floating-point number for an attack to read."
        ),
        "guarantee": f"{_as_good(rival, setting)}, and it keeps pure ε-DP, which needs no δ.",
    }[best.because.reason]
    return f"{said}{_narrower(best, answers, setting)}{_discrete(setting) if rule.promise != PURE_DP else ''}"


def _as_good(rival: MechanismRow | None, setting: AccuracySetting) -> str:
    """That the recommended noise is as good as the next best one."""
    if rival is None:
        return "It is as good as the next best"
    size = reach(rival.accuracy, setting.asked.unit) if setting.wanted is None else f"the {epsilon_is(rival.epsilon)}"
    return f"It is as good, {AS_GOOD} number, as {size} of {_noise(rival.calibration)}"


def _narrower(best: RecommendedRow, answers: Rows, setting: AccuracySetting) -> str:
    """What a noise would reach that keeps the promise, but that nobody can add safely; after a space."""
    narrower = [answers[other.mechanism.key] for other in (best.because.without_safe_sampler if best.because else ())]
    some = [each for each in narrower if value(each, setting) < _MUCH_LESS * value(best.row, setting)]
    if not some:
        return ""
    least = min(some, key=lambda each: value(each, setting))
    size = (
        f"reach {reach(least.accuracy, setting.asked.unit)}"
        if setting.wanted is None
        else f"need {epsilon_is(least.epsilon)}"
    )
    name = f"{least.calibration.family[0].upper()}{least.calibration.family[1:]}"
    return f" {name} noise would {size}, but there is {NO_SAMPLER}."


def _discrete(setting: AccuracySetting) -> str:
    """Where the answers are whole and a ± is wanted, that Gaussian noise for whole numbers exists; after a space."""
    if not setting.asked.whole or setting.wanted is None:
        return ""
    return " Discrete Gaussian noise reaches about as far and keeps answers whole: Tables computes it."


def _amount(found: MechanismRow, setting: AccuracySetting) -> str:
    """The parameters of the noise, all that it takes to add it; at a wanted ± they are those of its ε as shown."""
    rule, sensitivity = found.calibration, setting.asked.sensitivity(found.calibration)
    epsilon, digits = setting.epsilon, 4
    if setting.wanted is not None:
        epsilon, digits = _as_shown(found.epsilon), 7  # rounded up any further it would miss the ±
    if epsilon < rule.least_epsilon:
        return ""
    if rule.family == "discrete_gaussian":
        return f", with σ = {format_up(found.mechanism.scale)}, Pr(k) ∝ e^(−k²/(2σ²))"
    delta = 0.0 if rule.promise == PURE_DP else setting.delta
    scale = format_up(float(rule.scale(epsilon, delta, sensitivity)), digits)
    if rule.family == "gaussian":
        return f" of standard deviation σ = {scale}"
    if rule.family == "laplace":
        return f" of scale b = {scale}"
    if rule.family == "geometric":
        return f" of scale s = {scale}, Pr(k) ∝ e^(−|k|/s)"
    steps = f"steps of width Δ₁ = {setting.asked.size(sensitivity)} and ε = {format_up(epsilon, digits)}"
    return f" in {steps}, with γ = {step_share(rule, epsilon)}"


def _misses(setting: AccuracySetting, found: MechanismRow) -> str:
    """How many releases miss by more, which for whole-numbered noise may be fewer."""
    sentence = beyond(setting.significance)
    if found.calibration.whole and not sentence.startswith("at most"):
        sentence = f"at most {sentence}"
    return f"{sentence[:1].upper()}{sentence[1:]} by more."


def epsilon_text(value: float) -> str:
    """An ε rounded up, or that it is beyond any use."""
    return "above 1e6" if value > 1e6 else format_up(value)


def epsilon_is(value: float) -> str:
    """An ε, or that no private release has one so large."""
    return "ε above 1e6" if value > 1e6 else f"ε = {format_up(value)}"


def tables_link(setting: AccuracySetting) -> str:
    """Where a histogram has a page of its own, at this setting; empty for another query."""
    if setting.query != "histogram":
        return ""
    numbers = {key: exact_text(getattr(setting, key)) for key in ("epsilon", "delta", "significance")}
    entries = urlencode(numbers | {"neighbours": setting.neighbours, "promise": setting.promise})
    return (
        "For a table of your own, with names, error bars and one noise recommended: "
        f"[{TABLES.name}](./{TABLES.path}?{entries})."
    )
