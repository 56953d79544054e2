"""What to do: which of the two noises to take."""

from dpcore.calibrations import FAILS
from dpcore.laplace_gaussian import Errors, Noises
from pages.laplace_gaussian.setting import Setting
from pages.laplace_gaussian.words import held_words, in_words, measure_names
from pages.shared.text import given_up, up


def general(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """Which noise to take."""
    name, promise = in_words(setting.calibration), f"{setting.calibration.promise}, δ = {given_up(setting.delta)}"
    if noises.status == FAILS:
        return _not_this(name)
    if setting.hold != "epsilon":
        kept, same = up(noises.gaussian_epsilon), held_words(setting)
        if noises.gaussian_epsilon > setting.epsilon:
            less = f"the {name} keeps only ε = {kept}, and a δ besides"
            return f"**What to do.** Take Laplace noise: with the {same} {less}."
        return (
            f"**What to do.** With the {same} the {name} keeps the smaller ε, {kept}. Take it if {promise} is promise "
            "enough, else Laplace noise, which needs no δ."
        )
    smaller = {
        word: up(getattr(errors[1], key)) != up(getattr(errors[0], key))
        and getattr(errors[1], key) < getattr(errors[0], key)
        for key, word in measure_names(setting).items()
    }
    if not any(smaller.values()):
        return (
            f"**What to do.** Take Laplace noise: by {_listed(list(smaller))} it is no larger than the {name}, and it "
            "promises more."
        )
    if all(smaller.values()):
        return _if_enough(name, promise, _listed(list(smaller)))
    wins = _listed([word for word, is_smaller in smaller.items() if is_smaller])
    rest = _listed([word for word, is_smaller in smaller.items() if not is_smaller])
    return (
        f"**What to do.** It is close: by {wins} the {name} is smaller, by {rest} it is not. Take Laplace noise, which "
        "promises more, unless it is the former that counts for you."
    )


def by_measure(setting: Setting, noises: Noises, errors: tuple[Errors, Errors]) -> str:
    """Which noise to take at the same ε by the chosen measure."""
    name, promise = in_words(setting.calibration), f"{setting.calibration.promise}, δ = {given_up(setting.delta)}"
    named = measure_names(setting)[setting.measure]
    first, second = (getattr(each, setting.measure) for each in errors)
    if noises.status == FAILS:
        return _not_this(name)
    if second < first and up(second) != up(first):
        return _if_enough(name, promise, named)
    return f"**What to do.** Take Laplace noise here: by {named} it is no larger than the {name}, and it promises more."


def _not_this(name: str) -> str:
    return (
        f"**What to do.** Do not use this σ: the {name}'s breaks its promise here. Take Laplace noise, or choose the "
        "analytic Gaussian, whose σ holds at every ε and δ."
    )


def _if_enough(name: str, promise: str, measures: str) -> str:
    return (
        f"**What to do.** Take the {name} if {promise} is promise enough: by {measures} it is the smaller. Where "
        "pure ε-DP is asked for, take Laplace noise."
    )


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
