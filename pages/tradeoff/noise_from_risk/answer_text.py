"""The answer of the section "Noise from risk": the noise, what matters most of it, or why there is none."""

from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    percent_up,
)
from pages.shared.error_text import LARGE_EPSILON, within
from pages.tradeoff.noise_from_risk.figures import NOISE_NAMES, SYMBOLS
from pages.tradeoff.noise_from_risk.results import MAX_LINES, MAX_RELEASES, RiskNoise, is_too_long
from pages.tradeoff.noise_from_risk.setting_data import OUTCOME, RiskSetting
from pages.tradeoff.text import people_of, share_of

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
    first = f"{clause[0].upper()}{clause[1:]}, {action_text(noise)}"
    if setting.kind == OUTCOME:
        clauses = ["⚠ This limit leaves hardly any doubt"] if is_large(noise) else []
        clauses += [] if setting.is_composed else [error_text(noise)]
        second = "; ".join(clauses)
        rest = (f"{second[0].upper()}{second[1:]}.",) if clauses else ()
        return f"{first}: pure ε = {format_down(setting.stated_epsilon)}.", *rest
    return f"{first}.", rare_sentence(noise) if setting.kind == "posterior" else guarantee_sentence(noise)


def guarantee_sentence(noise: RiskNoise) -> str:
    """Return the ε of the noise with a warning where it is large, and the detour."""
    setting = noise.setting
    lead = "⚠ This limit does not bound rare events:" if is_large(noise) else "This is"
    epsilon = f"{lead} ε = {format_up(noise.calibration.epsilon)} at δ = {format_input_up(setting.delta)}"
    if noise.has_detour:
        return f"{epsilon}; {guarantee_name(noise)} alone ensures the limit too, {_detour_words(noise)}."
    return f"{epsilon}; no (ε, δ) guarantee with this δ ensures the limit by itself."


def rare_sentence(noise: RiskNoise) -> str:
    """Return the posterior after a test far rarer than the one of the limit, and the largest after any test."""
    prior, most = share_of(noise.setting.conditions[0]), noise.outcome_risk
    if percent_up(most) == percent_up(noise.setting.limit):
        return f"With this noise no other test, however rare, raises {prior} further."
    after = ""
    if noise.rare_test is not None:
        rate, posterior = noise.rare_test
        after = f"one that accuses {people_of(rate)} outside the data raises {prior} to {percent_up(posterior)}, and "
    bound = "nothing bounds every test" if most == 1 else f"no test raises it above {percent_up(most)}"
    return f"⚠ For that test only: {after}{bound}."


def error_text(noise: RiskNoise) -> str:
    """Return within which ± one released number lies, and all of them at once: a clause without a full stop."""
    setting, scale = noise.setting, noise.calibration.scale
    clause = f"{within(setting.significance)} within ±{format_up(setting.half_width(scale))} of the truth"
    if setting.cells == 1:
        return clause
    together = format_up(setting.half_width(scale, setting.cells))
    return f"{clause} in one cell, and within ±{together} in all {setting.cells:,} cells at once"


def _detour_words(noise: RiskNoise) -> str:
    """Return the noise that the weakest guarantee requires, compared with that of the risk."""
    calibration, kind = noise.calibration, noise.setting.noise
    scale = format_up(calibration.detour_scale)
    if scale == format_up(calibration.scale):
        return "with the same noise"
    size = f"a factor of {scale}" if kind == "releases" else f"{SYMBOLS[kind]} = {scale}"
    return f"but requires {size}, {percent_up(calibration.detour_ratio - 1, 3)} more"


def guarantee_name(noise: RiskNoise) -> str:
    """Return the weakest (ε, δ) guarantee that ensures the limit, its ε rounded down so that it does."""
    epsilon = format_down(noise.calibration.detour_epsilon)
    return f"({epsilon}, {format_input_down(noise.setting.delta)})-DP"


def no_noise_sentences(setting: RiskSetting) -> tuple[str, ...]:
    """Return why no noise is stated."""
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


def is_large(noise: RiskNoise) -> bool:
    """Return whether the ε of the noise leaves some outcomes nearly without doubt."""
    setting = noise.setting
    return (setting.stated_epsilon if setting.kind == OUTCOME else noise.calibration.epsilon) > LARGE_EPSILON


def comparison_sentence(pinned: RiskNoise) -> str:
    """Return the change of the noise since the pinned setting."""
    return f"Pinned: {scale_text(pinned)}, {limit_text(pinned.setting)}."
