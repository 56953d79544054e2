"""The sentences of the section "Noise from risk"."""

from dpcore.recommendation import AS_GOOD
from pages.framework.parameters.number_format import (
    format_down,
    format_input_down,
    format_input_up,
    format_up,
    percent_up,
)
from pages.shared.error_text import within
from pages.shared.releases import description, labels
from pages.tradeoff.noise_from_risk.figures import NOISE_NAMES, SYMBOLS
from pages.tradeoff.noise_from_risk.results import (
    LEAST_MULTIPLIER,
    MAX_LINES,
    MAX_RELEASES,
    RiskNoise,
    is_too_long,
)
from pages.tradeoff.noise_from_risk.setting_data import RiskSetting
from pages.tradeoff.text import share_of

LARGE_EPSILON = 10.0
_WHAT_TO_DO = (
    "**What to do.** Choose the risk for which you are responsible and the largest value that you can accept. Use the "
    "noise above, and state the limit beside the ε at your δ"
)
EXPLANATION = r"""
The **trade-off curve** f gives the least false negative rate f(α) of any membership test with false positive rate α,
so 1 − f(α) is the largest true positive rate. Each risk is read from the curve, and the noise is the least whose curve
stays within the limit (Kulynych, Gomez, Kaissis, du Pin Calmon & Troncoso 2024, *Attack-aware noise calibration for
differential privacy*; library riskcal).

- **Advantage** η = max (1 − α − f(α)): Gaussian noise with
  $\mu=\Delta/\sigma=2\Phi^{-1}\left(\frac{1+\eta}{2}\right)$, Laplace noise with $\theta=\Delta/b=-2\ln(1-\eta)$.
- **Members identified** (TPR at α), and **reconstruction** (α = baseline; Balle, Cherubin & Hayes 2022; Hayes,
  Mahloujifar & Balle 2023): $\mu=\Phi^{-1}(\mathrm{TPR})-\Phi^{-1}(\alpha)$; $\theta=\ln(\mathrm{TPR}/\alpha)$ for
  TPR ≤ 1/2, and −ln(4α(1 − TPR)) for α ≤ 1/2 < TPR.
- **Posterior after a positive test** τ with prior π: first $\mathrm{TPR}=\tau(1-\pi)\alpha/(\pi(1-\tau))$.
- **Correct guesses** s with prior π: $\delta(\varepsilon)=(s-1+\pi)/\pi$ at $e^\varepsilon=(1-\pi)/\pi$ for π ≤ 1/2.

For **DP-SGD** the noise multiplier is searched for until the certified δ at one ε, on a line through the limit, is
small enough; it is rounded up. Geometric noise has the least scale whose piecewise linear curve stays within the limit.
**The detour** takes the
weakest (ε, δ) guarantee that ensures the risk whatever the mechanism, such as
$\varepsilon=\ln\frac{1+\eta-2\delta}{1-\eta}$ for an advantage η, and calibrates the noise to it. All noise is rounded
up. The curves of this noise are their own inverse: it does not matter which of two neighbouring data sets the attacker
takes for the null hypothesis. The sensitivity is that of one number, under the neighbours for which it was computed.
"""


def scale_text(noise: RiskNoise) -> str:
    """Return the noise with its symbol, rounded up."""
    return f"{SYMBOLS[noise.setting.noise]} = {format_up(noise.calibration.scale)}"


def limit_text(setting: RiskSetting) -> str:
    """Return the limit in words, as the beginning of a sentence on the noise."""
    limit, conditions = share_of(setting.limit), [share_of(value) for value in setting.conditions]
    return {
        "power": "to limit any membership attack at {} false positives to {limit} true positives",
        "advantage": "to limit the advantage of any membership attack over guessing to {limit}",
        "posterior": "to limit the posterior to {limit} (prior {}, {} false positives)",
        "success": "to limit correct guesses of membership to {limit} where {} are members",
        "reconstruction": "to limit correct guesses of a record to {limit} ({} without the release)",
    }[setting.kind].format(*conditions, limit=limit)


def meaning_text(setting: RiskSetting) -> str:
    """Return what the limit of the risk means for a person."""
    limit, conditions = share_of(setting.limit), [share_of(value) for value in setting.conditions]
    blind = share_of(max(setting.conditions[0], 1 - setting.conditions[0])) if setting.kind == "success" else ""
    return {
        "power": "Of the people who are in the data, at most {limit} are identified by an attack that accuses {} of "
        "those who are not.",
        "advantage": "The true positive rate of the best attack exceeds its false positive rate by at most {limit}.",
        "posterior": "For an attacker with a prior of {}, the probability that a person is in the data is at most "
        "{limit} after a positive test with {} false positives.",
        "success": "Where {} of the people are in the data, at most {limit} of an attacker’s guesses of who is in it "
        "are correct; {blind} are correct without any release.",
        "reconstruction": "An attacker who guesses a person’s record or attribute with a probability of {} without the "
        "release does so with at most {limit} after it.",
    }[setting.kind].format(*conditions, limit=limit, blind=blind)


def action_text(noise: RiskNoise) -> str:
    """Return what is done to meet the limit."""
    if noise.setting.noise == "releases":
        return f"multiply every noise scale by {format_up(noise.calibration.scale)}"
    return f"add {NOISE_NAMES[noise.setting.noise]} with {scale_text(noise)}"


def answer_sentences(noise: RiskNoise) -> tuple[str, ...]:
    """Return the noise, its ε with a warning where it is large, and the detour."""
    setting, calibration = noise.setting, noise.calibration
    clause = limit_text(setting)
    first = f"{clause[0].upper()}{clause[1:]}, {action_text(noise)}."
    lead = "⚠ This limit does not bound rare events:" if is_large(noise) else "This is"
    epsilon = f"{lead} ε = {format_up(calibration.epsilon)} at δ = {format_input_up(setting.delta)}"
    if noise.has_detour:
        second = f"{epsilon}; {guarantee_name(noise)} alone ensures the limit too, {_detour_words(noise)}."
    else:
        second = f"{epsilon}; no (ε, δ) guarantee with this δ ensures the limit by itself."
    return first, second


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


def what_to_do_text(noise: RiskNoise | None) -> str:
    """Return what to do, and which risk readers must assume who know ε at δ alone."""
    if noise is None:
        return f"{_WHAT_TO_DO}."
    if noise.quoted_risk <= AS_GOOD * noise.setting.limit:
        return f"{_WHAT_TO_DO}."
    assumed, limit = percent_up(noise.quoted_risk), share_of(noise.setting.limit)
    quoted = f"ε = {format_up(noise.calibration.epsilon)} at δ = {format_input_up(noise.setting.delta)}"
    return f"{_WHAT_TO_DO}: readers who know {quoted} alone must assume {assumed} instead of {limit}."


def no_noise_sentences(setting: RiskSetting) -> tuple[str, ...]:
    """Return why no noise is stated."""
    if setting.noise != "releases":
        return ("No noise within the range of this page meets this limit.",)
    if is_too_long(setting.releases):
        return (
            f"The list of releases is too long: at most {MAX_LINES} lines with {MAX_RELEASES:,} releases together.",
            "Shorten it on the page Composition.",
        )
    if setting.has_no_scale:
        return (
            "The list has a zCDP or (ε, δ) guarantee, which names no noise that could change.",
            "Replace it by its noise, or leave it out, on the page Composition.",
        )
    return ("No factor from 1e-6 to 1e6 on the noise of the list meets this limit.",)


def is_large(noise: RiskNoise) -> bool:
    """Return whether the ε of the noise leaves some outcomes nearly without doubt."""
    return noise.calibration.epsilon > LARGE_EPSILON


def warning_text(noise: RiskNoise) -> str:
    """Return what to do about a limit that is met by noise whose ε is large; empty where it is not."""
    if not is_large(noise):
        return ""
    return (
        f"**⚠ ε is above {LARGE_EPSILON:.0f}.** Some outcomes, however rare, can leave hardly any doubt about a "
        "person. Choose a lower limit, or a small false positive rate at which the limit holds."
    )


def comparison_sentence(pinned: RiskNoise) -> str:
    """Return the change of the noise since the pinned setting."""
    return f"Pinned: {scale_text(pinned)}, {limit_text(pinned.setting)}."


def alternative_text(noise: RiskNoise) -> str:
    """Return what the chart of the curve shows."""
    alpha, power = noise.touching_point
    detour = (
        " In grey, the curve of the weakest (ε, δ) guarantee that ensures the limit, and of its noise."
        if noise.has_detour
        else ""
    )
    return (
        f"Power of the best attack against the false positive rate under {NOISE_NAMES[noise.setting.noise]} with "
        f"{scale_text(noise)}. It reaches the limit at a false positive rate of {percent_up(alpha)}, with a power of "
        f"{percent_up(power)}.{detour}"
    )


def implied_text(noise: RiskNoise) -> str:
    """Return what the noise does to a number, and what it implies in other terms."""
    calibration = noise.calibration
    if noise.setting.noise == "dp_sgd":
        return _training_text(noise)
    if noise.setting.noise == "releases":
        return _releases_text(noise)
    mu = format_up(calibration.mu)
    pure = f" and pure ε = {format_up(calibration.loss)}" if noise.setting.noise != "gaussian" else ""
    return (
        f"**What it does to your number:** {within(noise.setting.significance)} within "
        f"±{format_up(calibration.half_width)} of the truth, in query units. **In other terms:** μ = {mu} (Gaussian "
        f"differential privacy), ρ = {format_up(calibration.rho)} (zCDP), ε = {format_up(calibration.epsilon)} at "
        f"δ = {format_input_up(noise.setting.delta)}{pure}."
    )


def _training_text(noise: RiskNoise) -> str:
    rate, steps = noise.setting.training
    least = (
        f" {LEAST_MULTIPLIER} is the least noise multiplier of this page: less may be enough."
        if noise.calibration.scale <= LEAST_MULTIPLIER
        else ""
    )
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
