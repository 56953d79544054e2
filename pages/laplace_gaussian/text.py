"""The sentences that several sections share: the answer, names, text alternatives, and how numbers are computed."""

from typing import Any

from dpcore import laplace
from dpcore.calibrations import FAILS, LAPLACE, PDP
from dpcore.laplace_gaussian import NoisePair
from pages.framework.parameters.number_format import format_input_up, format_nearest, format_up, pin_sentence, tex
from pages.laplace_gaussian.results import ErrorPair, LaplaceGaussianResult, LaplaceGaussianSetting
from pages.shared.formulas import BASIS, LEAST_HALF_WIDTH_TEXT, LEAST_NOISE_TEXT, SAMPLER, TRUNCATED_LAPLACE_TEXT, share
from pages.shared.laplace_query import gaussian_name, no_laplace_text, sensitivity_pair, sensitivity_text
from pages.shared.looks import LOOKS

GUARANTEES = (
    "Laplace noise satisfies **pure ε-DP**: one person’s data change the probability of every set of outcomes by at "
    "most a factor e^ε. **(ε, δ)-DP**: probabilities may exceed the e^ε bound by up to δ. **(ε, δ)-pDP**: the privacy "
    "loss exceeds ε with probability at most δ. At the same ε, Laplace noise has the stronger guarantee; a smaller "
    "Gaussian error comes with a weaker guarantee.\n\n"
    f"{BASIS}\n\n{SAMPLER}"
)


def measure_names(setting: LaplaceGaussianSetting) -> dict[str, str]:
    """Return the names of the measures."""
    level = share(setting.significance)
    return {"variance": "variance", "mean_error": "mean error", "accuracy": f"half-width ± ({level})"}


def query_name(case: str, k: float) -> str:
    """Return the name of the query.

    >>> query_name("counts", 1), query_name("counts", 9), query_name("histogram", 3)
    ('one count', 'each of 9 counts of one person', 'each bin of a histogram')
    """
    if case == "counts":
        return "one count" if k == 1 else f"each of {k:,.0f} counts of one person"
    return "each bin of a histogram" if case == "histogram" else "your Δ₁ and Δ₂"


def _short_query_name(setting: LaplaceGaussianSetting) -> str:
    """Return the name of the query in the answer, in few words."""
    if setting.case == "counts":
        return "one count" if setting.k == 1 else f"{setting.k:,.0f} counts"
    return "a histogram" if setting.case == "histogram" else "your sensitivities"


def sensitivities_text(setting: LaplaceGaussianSetting) -> str:
    """Return which sensitivities are compared, and why."""
    if setting.case == "own":
        return f"{sensitivity_pair(setting)}, as you gave them."
    reason = "one person moves one bin by 1" if setting.case == "histogram" else "one person moves each count by 1"
    return f"{sensitivity_pair(setting)}: {reason}."


def answer_text(result: LaplaceGaussianResult) -> tuple[str, ...]:
    """Return which noise has the smaller error, which guarantees they satisfy, and what has changed since a pin."""
    if not result.has_answer:
        return no_laplace_text(result.setting.epsilon)
    sentences = _comparison_sentences(result)
    return sentences if result.pinned is None else (*sentences, pinned_text(result, result.pinned))


def smaller_error_sentence(result: LaplaceGaussianResult) -> str:
    """Return which noise has the smaller error for the query, both at the same ε."""
    smaller = _smaller_noise_text(result.setting, result.errors, result.noises.gaussian.status == FAILS)
    return f"For {_short_query_name(result.setting)}, {smaller}."


def _comparison_sentences(result: LaplaceGaussianResult) -> tuple[str, str]:
    """Return which noise is smaller at the significance level, and how the variances and the guarantees compare."""
    setting, errors = result.setting, result.errors
    verb = "violates" if result.noises.gaussian.status == FAILS else "satisfies"
    guarantees = f"Laplace noise satisfies pure ε-DP, the Gaussian {verb} {setting.calibration.guarantee}"
    if setting.hold != "epsilon":
        return _unequal_epsilon_sentence(result), f"{_half_widths_text(setting, errors)}; {guarantees}."
    smaller = _smaller_noise_text(setting, errors, verb == "violates")
    sentence = f"For {_short_query_name(setting)} at {setting.guarantee_text}, {smaller}."
    return sentence, f"{_variances_text(errors)}; {guarantees}."


def _unequal_epsilon_sentence(result: LaplaceGaussianResult) -> str:
    """Return the ε of both noises where something else is held equal."""
    setting, gaussian = result.setting, result.noises.gaussian
    tail = f"equal tails at t = {format_input_up(setting.t)}" if setting.t else "equal density at 0"
    equal = tail if setting.hold == "tail" else "equal variance"
    verb = "violates" if gaussian.status == FAILS else "satisfies"
    return (
        f"With {equal}, the {gaussian_name(setting.calibration)} {verb} ε = {format_up(gaussian.epsilon)} at δ ="
        f" {format_input_up(setting.delta)}; Laplace noise satisfies ε = {format_input_up(setting.epsilon)}."
    )


def _half_widths_text(setting: LaplaceGaussianSetting, errors: ErrorPair) -> str:
    """Return the half-widths of both noises, the Gaussian's first."""
    laplace, gaussian = (format_up(error["accuracy"]) for error in errors)
    level = _short_level(setting)
    return f"For {_short_query_name(setting)}, the Gaussian has ±{gaussian} and Laplace noise ±{laplace} ({level})"


def _smaller_noise_text(setting: LaplaceGaussianSetting, errors: ErrorPair, fails: bool) -> str:
    """Return which noise has the smaller half-width at the same ε."""
    first, second = (error["accuracy"] for error in errors)
    level, name = _short_level(setting), gaussian_name(setting.calibration)
    if fails:
        return f"only Laplace noise satisfies its guarantee: ±{format_up(first)} ({level})"
    if format_up(first) == format_up(second):
        return f"both noises have about the same error: ±{format_up(first)} ({level})"
    if first < second:
        return f"Laplace noise has the smaller error: ±{format_up(first)} against ±{format_up(second)} ({level})"
    return f"the {name} has the smaller error: ±{format_up(second)} against ±{format_up(first)} ({level})"


def _short_level(setting: LaplaceGaussianSetting) -> str:
    """Return the confidence in the answer, in few words where it has many digits."""
    level = share(setting.significance)
    return f"confidence 1 − {format_input_up(setting.significance)}" if level.startswith("all but") else level


def _variances_text(errors: ErrorPair) -> str:
    """Return how the variances compare."""
    laplace_variance, gaussian_variance = (error["variance"] for error in errors)
    larger = format_nearest(max(laplace_variance, gaussian_variance) / min(laplace_variance, gaussian_variance), 3)
    if larger == "1":
        return "Both have about the same variance"
    if gaussian_variance > laplace_variance:
        return f"The Gaussian’s variance is {larger} times Laplace’s"
    return f"Laplace’s variance is {larger} times the Gaussian’s"


def csv_header(result: LaplaceGaussianResult, **more: object) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of a pinned setting."""
    setting = result.setting
    page_parameters = {
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "gaussian": gaussian_name(setting.calibration),
        "held equal": setting.hold if setting.hold != "tail" else f"tail at t = {setting.t!r}",
        "units": "epsilon in nats; delta and tails are probabilities; t, x and errors in query units",
    }
    pinned = {} if result.pinned is None else {"pinned": setting_text(result.pinned.setting)}
    return setting.csv_header | page_parameters | pinned | more


def subtitle(setting: LaplaceGaussianSetting, note: str) -> str:
    """Return the parameters of a picture, and a note."""
    return f"{setting.guarantee_text}, {sensitivity_pair(setting)}; {note}"


def scales_subtitle(result: LaplaceGaussianResult) -> str:
    """Return the parameters of a picture, the scales of both noises, and what they have in common."""
    scales = f"b = {format_up(result.noises.laplace.scale)}, σ = {format_up(result.noises.gaussian.scale)}"
    return subtitle(result.setting, f"{scales}: {common_text(result.setting)}")


def setting_text(setting: LaplaceGaussianSetting) -> str:
    """Return a setting in one line."""
    query = sensitivity_pair(setting) if setting.case == "own" else query_name(setting.case, setting.k)
    return f"{query}, {setting.guarantee_text}, {gaussian_name(setting.calibration)}, {common_text(setting)}"


def pinned_text(result: LaplaceGaussianResult, pinned: LaplaceGaussianResult) -> str:
    """Return what has changed since the pinned setting, or that Laplace noise has no answer there."""
    setting, pinned_setting = result.setting, pinned.setting
    if not pinned.has_answer:
        return f"Pinned: at ε = {format_input_up(pinned_setting.epsilon)} Laplace noise has no answer."
    name = gaussian_name(setting.calibration) if setting.gaussian == pinned_setting.gaussian else "Gaussian"
    laplace_change, gaussian_change = (
        f"±{format_up(old['accuracy'])} → ±{format_up(new['accuracy'])}"
        for old, new in zip(pinned.errors, result.errors, strict=True)
    )
    levels = share(setting.significance)
    if setting.significance != pinned_setting.significance:
        levels = f"{share(pinned_setting.significance)} → {levels}"
    changes = f"Laplace {laplace_change}, {name} {gaussian_change}, at {levels}"
    return pin_sentence(changes, setting_text(pinned_setting))


def common_text(setting: LaplaceGaussianSetting) -> str:
    """Return what both noises have in common."""
    # the limit of equal tails as t falls to 0 is the same density
    tail = f"same tail at t = {format_input_up(setting.t)}" if setting.t else "same density at 0"
    return {"epsilon": "same ε", "variance": "same variance", "tail": tail}[setting.hold]


def alternative_text(result: LaplaceGaussianResult) -> str:
    """Return what the pictures of both noises show, for people who cannot see them."""
    setting, noises, (first, second) = result.setting, result.noises, result.errors
    bounded = ""
    if result.truncated is not None:
        bounded = f" Truncated Laplace noise is never beyond ±{format_up(result.truncated.hard_limit)}."
    return (
        f"At {setting.guarantee_text}: {share(setting.significance)} of Laplace draws lie within"
        f" ±{format_up(first['accuracy'])}, of {gaussian_name(setting.calibration)} draws within"
        f" ±{format_up(second['accuracy'])}; b = {format_up(noises.laplace.scale)}, σ ="
        f" {format_up(noises.gaussian.scale)}.{bounded}"
    )


def explanation_text(result: LaplaceGaussianResult) -> str:
    """Return how each number is computed: formula with the user's numbers, source, notion, norm and range."""
    if not result.has_answer:
        return no_laplace_text(result.setting.epsilon)[1]
    setting, noises = result.setting, result.noises
    single = () if result.truncated is None else (TRUNCATED_LAPLACE_TEXT, LEAST_HALF_WIDTH_TEXT, LEAST_NOISE_TEXT)
    return "\n\n".join((_laplace_text(setting, noises), _gaussian_text(setting, noises), *_COMPARISON, *single))


def _laplace_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    texts = sensitivity_text(setting, setting.l1), format_input_up(setting.epsilon), format_up(noises.laplace.scale)
    l1, e, b = map(tex, texts)
    return (
        f"**Laplace noise**, pure ε-DP for every ε > 0 ({LAPLACE.theorem}): "
        rf"$b=\Delta_1/\varepsilon={l1}/{e}={b}$. Its tail is $p_1=\Pr(|e|>t)=e^{{-t/b}}$, its variance $2b^2$, its "
        r"mean error $b$, and $1-\alpha$ of its releases fall within $\pm b\ln(1/\alpha)$."
    )


def _gaussian_text(setting: LaplaceGaussianSetting, noises: NoisePair) -> str:
    calibration, gaussian = setting.calibration, noises.gaussian
    sigma, epsilon = tex(format_up(gaussian.scale)), tex(format_up(gaussian.epsilon))
    tail = tex(format_nearest(float(laplace.tail(setting.t, noises.laplace.scale))))
    equation = {
        "epsilon": (
            rf"\varepsilon={tex(format_input_up(setting.epsilon))},\ \delta={tex(format_input_up(setting.delta))},\ "
            rf"\Delta_2={tex(sensitivity_text(setting, setting.l2))}\ \Rightarrow\ \sigma={sigma}"
        ),
        "variance": rf"\sigma=\sqrt2\,b={sigma}\ \Rightarrow\ \varepsilon={epsilon}",
        "tail": rf"2\Phi(-t/\sigma)=e^{{-t/b}}={tail}\ \Rightarrow\ \sigma={sigma},\ \varepsilon={epsilon}",
    }[setting.hold]
    notion = "; probabilistic DP, Pr(|privacy loss| > ε) ≤ δ" if calibration is PDP else ""
    return (
        f"**{calibration.name}** ({calibration.theorem}; {LOOKS[calibration.key].proved_for.rstrip('.').lower()}"
        f"{notion}): $${LOOKS[calibration.key].equation}$$ $${equation}$$ Its tail is $p_2=2\\Phi(-t/\\sigma)$, its "
        r"variance $\sigma^2$, its mean error $\sigma\sqrt{2/\pi}$, and $1-\alpha$ of its releases fall within "
        r"$\pm\sigma\,(-\Phi^{-1}(\alpha/2))$."
    )


_COMPARISON = (
    "**Privacy cost of the same tail** (Liu 2019, Fig. 5, in closed form): the σ with Laplace’s tail at t is "
    r"$\sigma=t/q$ with $q=-\Phi^{-1}(p_1/2)$; the formula of the Gaussian, solved for ε at that σ, gives ε₂. "
    r"For pDP $\varepsilon_2=\Delta_2\,(-\Phi^{-1}(\delta/2)+\Delta_2/(2\sigma))/\sigma$.",
    "**Crossover and frontier.** The σ as large as Laplace’s noise is √2 b by the variance, √(π/2) b by the mean "
    "error, b ln(1/α)/(−Φ⁻¹(α/2)) by ± at the confidence 1 − α. "
    "The δ of that σ, by the Gaussian’s own formula, is the "
    "frontier. By the variance, for one statistic and pDP, it starts at δ = 2Φ(−√2) ≈ 0.157 (Liu 2019, Proposition 12, "
    "whose text prints 2Φ(√2)).",
    "**Sensitivity and neighbours.** Δ₁ is the largest ℓ₁ distance, Δ₂ the largest ℓ₂ distance by which the query "
    "moves between neighbouring data sets. For the counts, the person who is added or removed is in each of them; for "
    "the histogram, the person has a single record. Only the noise of one number is compared, without sampling error.",
)
