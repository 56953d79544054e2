"""The sentences on the exponential mechanism."""

from dpcore.generalized_gaussian.bounded_comparison import EXPONENTIAL, LEMMA, PUBLISHED, TRUNCATED
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up
from pages.generalized_gaussian.bounded.results import BoundedResult
from pages.generalized_gaussian.bounded.text import no_answer_text, setting_text
from pages.generalized_gaussian.results import GeneralizedGaussianResult


def answer_text(result: GeneralizedGaussianResult) -> tuple[str, ...]:
    """Return the scales of the exponential mechanism beside the truncated mechanism's."""
    bounded, pinned = result.bounded, result.pinned and result.pinned.bounded
    if bounded is None:
        return no_answer_text(result.setting)
    setting, b = bounded.setting, bounded.scale
    lemma = f"b = {format_up(b[LEMMA.key])} by Lemma 10, " if LEMMA.key in b else ""
    sentence = (
        f"At ε = {format_input_up(setting.epsilon)}, p = {format_input_up(setting.p)} and width"
        f" {format_input_down(setting.width)} the exponential mechanism has {lemma}b = {format_up(b[EXPONENTIAL.key])}"
        f" with the exact Δᵤ, {format_up(b[PUBLISHED.key])} by the truncated mechanism's Eq. 7–8, and"
        f" {format_up(b[TRUNCATED.key])} is enough."
    )
    same = "All are the same truncated noise and keep pure ε; only what is proved of b differs: use the least."
    if pinned is None:
        return sentence, same
    keys = (("exact Δᵤ", EXPONENTIAL.key), ("enough", TRUNCATED.key))
    changes = (f"{name} b {format_up(pinned.scale[key])} → {format_up(b[key])}" for name, key in keys)
    return sentence, same, f"Pinned ({setting_text(pinned.setting)}) → now: {', '.join(changes)}."


def lemma_text(result: BoundedResult) -> str:
    """Return what Δᵤ and Lemma 10 are, and on what Lemma 10 depends."""
    setting, b = result.setting, result.scale
    sentences = (
        "Δᵤ is how far one record moves the utility −|x − s|^p; Lemma 10 is the paper's bound on it. BIT and clipped "
        "noise are another release: compare them by their errors within the bounds."
    )
    if LEMMA.key not in b:
        return f"{sentences} Lemma 10 speaks of whole p only."
    if setting.p < 3:
        return sentences
    if result.centred_lemma >= b[LEMMA.key] * (1 - 1e-3):
        return (
            f"{sentences} From p = 3 on Lemma 10 depends on where 0 lies: away from it the same width has a larger b."
        )
    return (
        f"{sentences} From p = 3 on Lemma 10 depends on where 0 lies: with 0 in the middle of the same width it is "
        f"{format_up(result.centred_lemma)}."
    )
