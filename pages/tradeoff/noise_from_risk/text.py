"""The sentences of the section "Noise from risk"."""

from dpcore import risk
from dpcore.recommendation import AS_GOOD
from pages.framework.parameters.number_format import (
    FEW_DIGITS,
    capitalized,
    exact_text,
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    percent_up,
)
from pages.shared.formulas import LARGE_EPSILON, within
from pages.shared.page_links import Link
from pages.shared.releases import description, labels
from pages.shared.shared_parameters import PRIOR
from pages.shared.site_map import MEANING
from pages.tradeoff.figures import NOISE_NAMES, SYMBOLS
from pages.tradeoff.noise_from_risk.parameters import RISK, is_outside, least_limit, limit_of
from pages.tradeoff.noise_from_risk.results import (
    LEAST_MULTIPLIER,
    MAX_LINES,
    MAX_RELEASES,
    OUTCOME,
    RiskNoise,
    RiskSetting,
    is_too_long,
)
from pages.tradeoff.text import people_of, share_of

_SAME_NOISE = "with the same noise"
_EVEN = 0.5  # the prior at which a blind guess is right least often
_INSTEAD = {
    "gaussian": "Choose geometric or Laplace noise, which bound every outcome, or the posterior after one test, which "
    "holds for that test only.",
    "dp_sgd": "Choose the posterior after one test, which holds for that test only, or another risk.",
}


def scale_text(noise: RiskNoise) -> str:
    """Return the noise with its symbol, rounded up."""
    return f"{SYMBOLS[noise.setting.noise]} = {format_up(noise.calibration.scale)}"


def limit_text(setting: RiskSetting) -> str:
    """Return the limit in words, as the beginning of a sentence on the noise."""
    limit, conditions = share_of(setting.limit), [share_of(value) for value in setting.conditions]
    attacked = "these releases" if setting.noise == "releases" else "this release"
    return {
        OUTCOME: "to limit the posterior after any outcome to {limit} ({} before)",
        "power": "to limit membership attacks on {attacked} at {} false positives to {limit} true positives",
        "advantage": "to limit the advantage over guessing of attacks on {attacked} to {limit}",
        "posterior": "to limit the posterior after one test with {1} false positives to {limit} ({0} before)",
        "success": "to limit correct guesses of membership to {limit} where {} are members",
        "reconstruction": "to limit correct guesses of a record to {limit} ({} without the release)",
    }[setting.kind].format(*conditions, limit=limit, attacked=attacked)


def action_text(noise: RiskNoise) -> str:
    """Return what is done to meet the limit."""
    if noise.setting.noise == "releases":
        return f"multiply every scale by {format_up(noise.calibration.scale)}"
    return f"add {NOISE_NAMES[noise.setting.noise]} with {scale_text(noise)}"


def answer_sentences(noise: RiskNoise) -> tuple[str, ...]:
    """Return the noise, and what matters most of it: its error, what a rarer test leaves, or its ε and the detour."""
    setting = noise.setting
    clause = limit_text(setting)
    one = " in one cell" if setting.cells > 1 else ""
    error = "" if setting.is_composed or setting.kind == OUTCOME else f" (±{half_width_text(noise)}{one})"
    first = f"{capitalized(clause)}, {action_text(noise)}{error}"
    if setting.kind == OUTCOME:
        clauses = ["⚠ This limit leaves hardly any doubt"] if is_large(noise) else []
        clauses += [] if setting.is_composed else [error_text(noise)]
        second = "; ".join(clauses)
        rest = (f"{capitalized(second)}.",) if clauses else ()
        return f"{first}: {stated_guarantee(noise)}.", *rest
    return f"{first}.", rare_sentence(noise) if setting.kind == "posterior" else guarantee_sentence(noise)


def guarantee_sentence(noise: RiskNoise) -> str:
    """Return the ε of the noise with a warning where it is large, and the detour."""
    lead = "⚠ This limit does not bound rare events:" if is_large(noise) else "This is"
    epsilon = f"{lead} {stated_guarantee(noise)}"
    if noise.has_detour:
        return f"{epsilon}; {guarantee_name(noise)} alone ensures the limit too, {_detour_words(noise)}."
    if noise.setting.is_pure:
        return f"{epsilon}."
    return f"{epsilon}; no (ε, δ) guarantee with this δ ensures the limit by itself."


def stated_guarantee(noise: RiskNoise) -> str:
    """Return the one guarantee by which the noise is stated."""
    delta = noise.guarantee[1]
    return f"ε = {noise.shown_epsilon} at δ = {format_input_up(delta)}" if delta else f"pure ε = {noise.shown_epsilon}"


def rare_sentence(noise: RiskNoise) -> str:
    """Return the posterior after a test far rarer than the one of the limit, and the largest after any test."""
    prior, most = share_of(noise.setting.conditions[0]), noise.outcome_risk
    if most <= noise.setting.limit or percent_up(most) == percent_up(noise.setting.limit):
        return f"With this noise no other test, however rare, raises {prior} further."
    after = ""
    if noise.rare_test is not None:
        rate, posterior = noise.rare_test
        after = f"one that accuses {people_of(rate)} outside the data raises {prior} to {percent_up(posterior)}, and "
    bound = "nothing bounds every test" if most == 1 else f"no test raises it above {percent_up(most)}"
    return f"⚠ For that test only: {after}{bound}."


def half_width_text(noise: RiskNoise) -> str:
    """Return the ± of one released number at the level of the setting."""
    return format_up(noise.setting.half_width(noise.calibration.scale))


def error_text(noise: RiskNoise) -> str:
    """Return within which ± one released number lies, and all of them at once: a clause without a full stop."""
    setting, scale = noise.setting, noise.calibration.scale
    clause = f"{within(setting.significance)} within ±{half_width_text(noise)} of the truth"
    if setting.cells == 1:
        return clause
    together = format_up(setting.half_width(scale, setting.cells))
    return f"{clause} in one cell, and within ±{together} in all {setting.cells:,} cells at once"


def _detour_words(noise: RiskNoise) -> str:
    """Return the noise that the weakest guarantee requires, compared with that of the risk."""
    calibration, kind = noise.calibration, noise.setting.noise
    scale = format_up(calibration.detour_scale)
    if scale == format_up(calibration.scale):
        return _SAME_NOISE
    size = f"a factor of {scale}" if kind == "releases" else f"{SYMBOLS[kind]} = {scale}"
    return f"but requires {size}, {percent_up(calibration.detour_ratio - 1, 3)} more"


def guarantee_name(noise: RiskNoise) -> str:
    """Return the weakest (ε, δ) guarantee that ensures the limit, its ε rounded down so that it does."""
    epsilon = format_down(noise.calibration.detour_epsilon)
    return f"({epsilon}, {format_input_down(noise.setting.delta)})-DP"


def no_noise_sentences(setting: RiskSetting) -> tuple[str, ...]:
    """Return why no noise is stated."""
    if is_outside(setting):
        ends = (share_of(end) for end in least_limit(setting.kind, setting.conditions))
        name, low, high = limit_of(setting.kind).symbol, *ends
        even = f", or set the {PRIOR.caption} to {_EVEN}" if _is_enough_at_even_odds(setting) else ""
        first = f"No noise yet: enter a {name} above {low} and below {high}{even}."
        return tuple(filter(None, (first, _why_too_low(setting))))
    if setting.is_unbounded and setting.noise != "releases":
        name = NOISE_NAMES[setting.noise]
        return (
            f"No amount of {name} limits what every outcome reveals: rare outcomes leave hardly any doubt.",
            _INSTEAD[setting.noise],
        )
    if setting.noise != "releases":
        return ("No noise within the range of this page meets this limit.",)
    if is_too_long(setting.releases):
        return (
            f"The list of releases is too long: at most {MAX_LINES} lines with {MAX_RELEASES:,} releases together.",
            "Shorten it in “All releases together”.",
        )
    if setting.has_no_scale:
        return (
            "The list has a zCDP or (ε, δ) guarantee, which names no noise that could change.",
            "Replace it by its noise, or leave it out, in “All releases together”.",
        )
    if setting.is_unbounded:
        return (
            "The list has Gaussian noise or DP-SGD, with which no factor limits what every outcome reveals.",
            "Replace it by Laplace or geometric noise in “All releases together”, or choose the posterior after one "
            "test.",
        )
    return ("No factor from 1e-6 to 1e6 on the noise of the list meets this limit.",)


def _why_too_low(setting: RiskSetting) -> str:
    """Return what reaches a limit without any release, where that is why no noise meets it; else an empty text."""
    low, _ = least_limit(setting.kind, setting.conditions)
    if setting.limit > low:
        return ""
    share = share_of(low)
    answer = "“in it”" if setting.conditions[0] > _EVEN else "“not in it”"
    return {
        OUTCOME: f"The belief before the release is {share} already.",
        "posterior": f"The belief before the release is {share} already.",
        "power": f"Whoever accuses {share} at random finds {share} of the members.",
        "success": f"Saying {answer} of everybody is already right for {share}, without any release.",
        "reconstruction": f"Guesses are right for {share} without any release.",
    }[setting.kind]


def _is_enough_at_even_odds(setting: RiskSetting) -> bool:
    """Return whether a limit of right guesses, too low at this prior, is above that of a blind guess at even odds."""
    return setting.kind == "success" and _EVEN < setting.limit <= max(setting.conditions[0], 1 - setting.conditions[0])


def is_large(noise: RiskNoise) -> bool:
    """Return whether the ε of the noise leaves some outcomes nearly without doubt."""
    return noise.guarantee[0] > LARGE_EPSILON


def comparison_sentence(pinned: RiskNoise) -> str:
    """Return the change of the noise since the pinned setting."""
    return f"Pinned: {scale_text(pinned)}, {limit_text(pinned.setting)}."


_CHOICE = "**What to do.** Choose the risk for which you are responsible and the largest value that you can accept"
_WHAT_TO_DO = f"{_CHOICE}. Use the noise above, and state the limit beside the ε at your δ"
_WITH_PURE_EPSILON = f"{_CHOICE}. Use the noise above, and state the limit beside the pure ε"
EXPLANATION = r"""
**Posterior after any outcome** τ, for a prior π, is limited by pure ε-DP alone (Lee & Clifton 2011):
$\varepsilon=\ln\frac{\tau(1-\pi)}{(1-\tau)\pi}$, rounded down to the digits that the page shows, and Laplace or
geometric noise of scale Δ₁/ε. Gaussian noise, DP-SGD and every (ε, δ) guarantee with δ > 0 allow outcomes, however
rare, that leave no doubt; truncated noise has them with probability δ.

The **trade-off curve** f gives the least false negative rate f(α) of any membership test with false positive rate α,
so 1 − f(α) is the largest true positive rate. Each risk is read from the curve, and the noise is the least whose curve
stays within the limit (Kulynych, Gomez, Kaissis, du Pin Calmon & Troncoso 2024, *Attack-aware noise calibration for
differential privacy*; library riskcal).

- **Advantage** η = max (1 − α − f(α)): Gaussian noise with
  $\mu=\Delta/\sigma=2\Phi^{-1}\left(\frac{1+\eta}{2}\right)$, Laplace noise with $\theta=\Delta/b=-2\ln(1-\eta)$.
- **Members found** (TPR at α), and **reconstruction** (α = baseline; Balle, Cherubin & Hayes 2022; Hayes,
  Mahloujifar & Balle 2023): $\mu=\Phi^{-1}(\mathrm{TPR})-\Phi^{-1}(\alpha)$; $\theta=\ln(\mathrm{TPR}/\alpha)$ for
  TPR ≤ 1/2, and −ln(4α(1 − TPR)) for α ≤ 1/2 < TPR.
- **Posterior after one positive test** τ with prior π: first $\mathrm{TPR}=\tau(1-\pi)\alpha/(\pi(1-\tau))$.
- **Correct guesses** s with prior π: $\delta(\varepsilon)=(s-1+\pi)/\pi$ at $e^\varepsilon=(1-\pi)/\pi$ for π ≤ 1/2.

For **DP-SGD** the noise multiplier is searched for until the certified δ at one ε, on a line through the limit, is
small enough; it is rounded up. Geometric noise has the least scale whose piecewise linear curve stays within the limit.
**The detour** takes the
weakest (ε, δ) guarantee that ensures the risk whatever the mechanism, such as
$\varepsilon=\ln\frac{1+\eta-2\delta}{1-\eta}$ for an advantage η, and calibrates the noise to it. All noise is rounded
up. The curves of this noise are their own inverse: it does not matter which of two neighbouring data sets the attacker
takes for the null hypothesis. A person who changes k numbers by at most Δ each has Δ₂ = Δ√k and Δ₁ = kΔ; the curve of
one number that changes by Δ₁ lies nowhere above that of the k numbers, so that Laplace and geometric noise for it are
enough.
"""


def meaning_text(setting: RiskSetting) -> str:
    """Return what the limit of the risk means for a person, as a paragraph."""
    return f"**What the limit means:** {meaning_sentences(setting)}"


def meaning_sentences(setting: RiskSetting, person: str = "you", in_each: str = "") -> str:
    """Return what the limit of the risk means for a person, in numbers of people where they are short.

    `in_each` says of a limit after any outcome that an average is another one.
    """
    conditions = setting.conditions or (0.5,)
    before, last, limit = (people_of(share) for share in (conditions[0], conditions[-1], setting.limit))
    known = f"As far as an attacker knows, the data contain {before} like {person} before the release"
    right, blind = people_of(setting.limit, "guesses"), people_of(max(conditions[0], 1 - conditions[0]), "guesses")
    return {
        OUTCOME: f"{known}. Whatever the release shows, {in_each}it is at most {limit} after it.",
        "posterior": f"{known}. Of those whom a test accuses, it is at most {limit} after it, for a test that accuses "
        f"{last} who are not in the data.",
        "power": f"Of those who are in the data, at most {limit} are found on average by an attack that accuses "
        f"{before} who are not.",
        "advantage": f"Among those who are in the data an attack accuses on average at most {limit} more than among "
        "those who are not.",
        "success": f"Where {before} are in the data, at most {right} of who is in it are correct on average; {blind} "
        "are correct without any release.",
        "reconstruction": f"An attacker whose guess of a record or attribute is correct for {before} without the "
        f"release is correct for at most {limit} after it.",
    }[setting.kind]


def stated_limit(noise: RiskNoise) -> tuple[str, str]:
    """Return the limit for "Say it", about a person and not the reader, and what it does not limit.

    It stands in a few words for the public, and with its numbers for the others.
    """
    guesses = _guesses_of_a_value(noise)
    public, others = (
        meaning_sentences(noise.setting, "a certain person", in_each) for in_each in ("", "and not only on average, ")
    )
    if not guesses:
        return public, others
    return f"{public} Guesses of a value are not limited.", f"{others} Not limited by this: {guesses}"


def _guesses_of_a_value(noise: RiskNoise) -> str:
    """Return how often guesses of a value can be right, on average and at worst; empty where that is the limit."""
    setting, blind = noise.setting, noise.blind_guess
    if setting.kind == "reconstruction":
        return ""
    right = percent_up(risk.reached_risk("reconstruction", noise.curve, blind), FEW_DIGITS)
    most = noise.value_after_any_outcome
    worst = (
        "no limit is stated" if most == 1 else f"a value has a probability of at most {percent_up(most, FEW_DIGITS)}"
    )
    return (
        f"guesses of a value of a person known to be in the data, not of who is in it. Those that are right for "
        f"{people_of(blind)} without the release are right for at most {right} with it, an upper bound of the average. "
        f"After the worst outcome {worst}."
    )


def other_question_text(noise: RiskNoise) -> str:
    """Return that a limit on membership does not limit guesses of a value; empty where these are limited."""
    guesses = _guesses_of_a_value(noise)
    if not guesses:
        return ""
    choose = f"To limit the average, choose “{RISK.options['reconstruction']}”"
    if noise.guarantee[1]:
        return f"**⚠ Not limited by this:** {guesses} {choose}."
    entries = {"epsilon": noise.shown_epsilon.replace(",", ""), "promise": "pure", "in_data": "known"}
    entries |= {"prior": exact_text(noise.blind_guess), "stated_for": "add_remove"}
    link = Link(MEANING, "For one person", entries).markdown
    return f"**⚠ Not limited by this:** {guesses} {choose}; {link} has the worst outcome."


def what_to_do_text(noise: RiskNoise | None) -> str:
    """Return what to do, and which risk readers must assume who know ε at δ alone."""
    if noise is None:
        return f"{_CHOICE}."
    to_do = _WHAT_TO_DO if noise.guarantee[1] else _WITH_PURE_EPSILON
    if noise.setting.kind == OUTCOME or noise.quoted_risk <= AS_GOOD * noise.setting.limit:
        return f"{to_do}."
    assumed, limit = percent_up(noise.quoted_risk), share_of(noise.setting.limit)
    return f"{to_do}: readers who know {stated_guarantee(noise)} alone must assume {assumed} instead of {limit}."


def warning_text(noise: RiskNoise) -> str:
    """Return what to do about a limit that is met by noise whose ε is large; empty where it is not."""
    if not is_large(noise):
        return ""
    if noise.setting.kind == OUTCOME:
        return f"**⚠ ε is above {LARGE_EPSILON:.0f}.** Choose a lower limit: this one leaves hardly any doubt."
    return (
        f"**⚠ ε is above {LARGE_EPSILON:.0f}.** Some outcomes, however rare, can leave hardly any doubt about a "
        "person. Choose a lower limit, or a small false positive rate at which the limit holds."
    )


def alternative_text(noise: RiskNoise) -> str:
    """Return what the chart of the curve shows."""
    alpha, power = noise.touching_point
    grey = " In grey, the curve of the weakest (ε, δ) guarantee that ensures the limit, and of its noise."
    detour = grey if noise.has_detour else ""
    return (
        f"Power of the best attack against the false positive rate under {NOISE_NAMES[noise.setting.noise]} with "
        f"{scale_text(noise)}. It reaches the limit at a false positive rate of {percent_up(alpha)}, with a power of "
        f"{percent_up(power)}.{detour}"
    )


def implied_text(noise: RiskNoise) -> str:
    """Return what the noise is made for, what it does to the numbers, and what it implies in other terms."""
    calibration, setting = noise.calibration, noise.setting
    guarantee = f" {guarantee_sentence(noise)}" if setting.kind == "posterior" else ""
    if setting.noise == "dp_sgd":
        return f"{_training_text(noise)}{guarantee}"
    if setting.noise == "releases":
        return f"{_releases_text(noise)}{guarantee}"
    return (
        f"**What it does to your numbers:** {_sensitivity_text(setting)}: {error_text(noise)}.{guarantee} "
        f"**In other terms:** μ = {format_up(calibration.mu)} (Gaussian differential privacy), "
        f"ρ = {format_up(calibration.rho)} (zCDP), and {stated_guarantee(noise)}."
    )


def _sensitivity_text(setting: RiskSetting) -> str:
    """Return what one person changes, and the sensitivity for which the noise is made: a clause without a full stop."""
    most = format_input_down(setting.per_cell)
    if setting.per_person == 1:
        where = "one number" if setting.cells == 1 else f"one of {setting.cells:,} cells"
        return f"One person changes {where} by at most {most}"
    symbol = "Δ₂" if setting.noise == "gaussian" else "Δ₁"
    return (
        f"One person changes at most {setting.per_person:,} of {setting.cells:,} cells, each by at most {most}, "
        f"{symbol} = {format_up(setting.sensitivity)}"
    )


def _training_text(noise: RiskNoise) -> str:
    rate, steps = noise.setting.training
    is_least = noise.calibration.scale <= LEAST_MULTIPLIER
    least = f" {LEAST_MULTIPLIER} is the least noise multiplier of this page: less may be enough." * is_least
    return (
        f"**What z means:** in each of {int(steps):,} steps the sum of the clipped gradients gets Gaussian noise "
        "of z times the clipping norm; a record takes part with probability "
        f"{format_input_up(rate)}. Neighbours differ by one record, added or removed, and the curve lies below "
        f"those of both directions.{least}"
    )


def _releases_text(noise: RiskNoise) -> str:
    lines = "; ".join(
        f"{name}: {description(item)}" for name, item in zip(labels(noise.items), noise.scaled_items, strict=True)
    )
    return (
        "**What the factor does:** every scale of the list grows in proportion, and every ε of Laplace noise or of a "
        f"pure guarantee shrinks. The list then has {lines}. All releases count together, to the same attacker."
    )
