"""The sentences on the exponential mechanism."""

from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, without_markdown
from pages.papers.liu_exponential.results import ExponentialResult
from pages.papers.results import PapersResult
from pages.shared.bounded.parameters import BoundedSetting
from pages.shared.bounded.text import no_answer_text, used_sensitivity_text

_LEMMA = (
    "Δᵤ is the largest change of the utility −|x − s|^p between neighbours, and Lemma 10 is the paper’s bound on it. "
    "BIT and clipped noise release other values: compare them by their errors, in “Within bounds” of the page "
    "Generalized Gaussian."
)


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return the scale of the exponential mechanism beside that of truncated noise, and which one to use."""
    exponential, pinned = result.exponential, result.pinned and result.pinned.exponential
    if exponential is None:
        return no_answer_text(result.bounded_setting)
    b, key = exponential.scale, _published_key(exponential)
    by = "of Lemma 10" if key == LEMMA.key else "with the exact Δᵤ"
    sentences = (
        f"The exponential mechanism {by} has scale b = {format_up(b[key])}; exact truncated noise requires only"
        f" b = {format_up(b[TRUNCATED.key])} (ε = {format_input_up(exponential.setting.epsilon)}).",
        "Both add the same truncated noise and satisfy pure ε-DP; only the proof of b differs, so use the smaller b.",
    )
    if pinned is None:
        return sentences
    keys = (("exact Δᵤ", EXPONENTIAL.key), ("exact truncated", TRUNCATED.key))
    changes = (f"{name} b {format_up(pinned.scale[key])} → {format_up(b[key])}" for name, key in keys)
    return *sentences, f"Compared with the pin ({setting_text(pinned.setting)}): {', '.join(changes)}."


def _published_key(exponential: ExponentialResult) -> str:
    """Return the key of the paper's scale: Lemma 10's, or for other p, on which it is silent, that of the exact Δᵤ."""
    return LEMMA.key if LEMMA.key in exponential.scale else EXPONENTIAL.key


def scales_text(exponential: ExponentialResult) -> str:
    """Return all scales of the truncated noise at the setting."""
    b = exponential.scale
    lemma = f"{format_up(b[LEMMA.key])} by Lemma 10, " if LEMMA.key in b else ""
    return (
        f"**The scale b** of the exponential mechanism is {lemma}{format_up(b[EXPONENTIAL.key])} with the exact Δᵤ. "
        f"For the truncated mechanism Eq. 7–8 of the paper give {format_up(b[PUBLISHED.key])}, and"
        f" {format_up(b[TRUNCATED.key])} is sufficient. All are rounded up."
    )


def lemma_text(exponential: ExponentialResult) -> str:
    """Return what Δᵤ and Lemma 10 are, and on what Lemma 10 depends."""
    setting, b = exponential.setting, exponential.scale
    if LEMMA.key not in b:
        return f"{_LEMMA} Lemma 10 holds for whole p only."
    if setting.p < 3:
        return _LEMMA
    if exponential.centred_lemma >= b[LEMMA.key] * (1 - 1e-3):
        return f"{_LEMMA} From p = 3 on, its b grows with the distance of the bounds from 0."
    return (
        f"{_LEMMA} From p = 3 on, its b grows with the distance of the bounds from 0: with 0 in the middle of the same "
        f"width it is {format_up(exponential.centred_lemma)}."
    )


def recommendation_text(exponential: ExponentialResult) -> str:
    """Return what to take of the paper."""
    b = format_up(exponential.scale[TRUNCATED.key])
    return (
        f"**What to do.** Add truncated noise with b = {b}. Sample it with care: the guarantee holds for real numbers, "
        "and no floating-point-safe sampler of this noise is published."
    )


def alternative_text(result: PapersResult) -> str:
    """Return the text alternative of both pictures."""
    exponential = result.exponential
    scales = [] if exponential is None else [without_markdown(scales_text(exponential))]
    return " ".join((*answer_text(result), *scales))


def setting_text(setting: BoundedSetting) -> str:
    """Return a pinned setting in one line."""
    return f"{subtitle_over_width(setting)}, c₁ = {format_input_up(setting.bound_high)}"


def subtitle_over_p(setting: BoundedSetting) -> str:
    """Return the parameters of the picture over p."""
    low, high = format_input_down(setting.bound_low), format_input_up(setting.bound_high)
    return f"{_guarantee_text(setting)}, bounds {low} to {high}"


def subtitle_over_width(setting: BoundedSetting) -> str:
    """Return the parameters of the picture over the width."""
    p, low = format_input_up(setting.p), format_input_down(setting.bound_low)
    return f"{_guarantee_text(setting)}, p = {p}, c₀ = {low}"


def _guarantee_text(setting: BoundedSetting) -> str:
    return f"{setting.guarantee_text} (clipped noise), Δ = {used_sensitivity_text(setting)}"
