"""What to do: which of the two noises to take."""

from dpcore.calibrations import FAILS, WITHIN
from dpcore.laplace_gaussian import NoisePair
from pages.laplace_gaussian.setting import ErrorPair, Setting
from pages.laplace_gaussian.words import held_words, in_words, measure_names
from pages.shared.text import given_up, share, up

_MOST_EPSILON = 1e6


def general(setting: Setting, noises: NoisePair, errors: ErrorPair) -> str:
    """Which noise to take, whatever is held equal and by all measures."""
    name = in_words(setting.calibration)
    if noises.gaussian.status == FAILS:
        return _not_this(name)
    if setting.hold != "epsilon":
        return _at_other_epsilon(setting, noises, errors, name)
    first, second = errors
    smaller = {word: second[key] < first[key] for key, word in measure_names(setting).items()}
    wins, rest = (_listed([word for word, is_so in smaller.items() if is_so == so]) for so in (True, False))
    if not wins:
        return f"**What to do.** Take Laplace noise: by {rest} it is no larger than the {name}, and it promises more."
    if not rest:
        return _if_enough(setting, name, wins, noises)
    return (
        f"**What to do.** It is close: by {wins} the {name} is smaller, by {rest} it is not. Take Laplace noise, which "
        "promises more, unless it is the former that counts for you."
    )


def by_measure(setting: Setting, noises: NoisePair, errors: ErrorPair) -> str:
    """Which noise to take at the same ε by the chosen measure."""
    name, named = in_words(setting.calibration), measure_names(setting)[setting.measure]
    first, second = (each[setting.measure] for each in errors)
    if noises.gaussian.status == FAILS:
        return _not_this(name)
    if second < first:
        return _if_enough(setting, name, named, noises)
    return f"**What to do.** Take Laplace noise here: by {named} it is no larger than the {name}, and it promises more."


def _at_other_epsilon(setting: Setting, noises: NoisePair, errors: ErrorPair, name: str) -> str:
    """Which noise to take where the Gaussian has another ε: none of the two, where the other has the smaller errors."""
    kept, same = noises.gaussian.epsilon, held_words(setting)
    laplaces, gaussians = (each["accuracy"] for each in errors)
    sizes = f"{share(setting.significance)} of its releases fall within ±{up(gaussians)}, of Laplace’s within"
    beside = f"{sizes} ±{up(laplaces)}"
    if kept >= setting.epsilon:
        only = f"only ε = {up(kept)}, and a δ besides" if kept <= _MOST_EPSILON else "no ε up to 1e6"
        if kept <= _MOST_EPSILON and _as_shown(gaussians) < _as_shown(laplaces):
            return (
                f"**What to do.** Weigh ε against the error. With the {same} the {name} keeps {only}, but {beside}. "
                "Laplace noise has the stronger guarantee here, the Gaussian the smaller error: to compare the noises, "
                "hold ε equal."
            )
        return f"**What to do.** Take Laplace noise: with the {same} the {name} keeps {only}."
    if _as_shown(gaussians) > _as_shown(laplaces):
        return (
            f"**What to do.** Weigh ε against the error. With the {same} the {name} keeps the smaller ε, "
            f"{up(kept)}, at δ = {given_up(setting.delta)}, but {beside}. To compare the noises, hold ε equal."
        )
    return (
        f"**What to do.** With the {same} the {name} keeps the smaller ε, {up(kept)}. Take it if {_promise(setting)} "
        "is promise enough, else Laplace noise, which needs no δ."
    )


def _as_shown(value: float) -> float:
    """A size as it is shown, so that what reads alike counts as alike."""
    return float(f"{value:.3e}")


def _promise(setting: Setting) -> str:
    return f"{setting.calibration.promise} with δ = {given_up(setting.delta)}"


def _not_this(name: str) -> str:
    return (
        f"**What to do.** Do not use this σ: the {name}'s breaks its promise here. Take Laplace noise, or choose the "
        "analytic Gaussian, whose σ holds at every ε and δ."
    )


def _if_enough(setting: Setting, name: str, measures: str, noises: NoisePair) -> str:
    unproved = ""
    if noises.gaussian.status == WITHIN:
        unproved = f" The {name}'s σ is unproved here; the analytic Gaussian's is proved, and no larger."
    return (
        f"**What to do.** Take the {name} if {_promise(setting)} is promise enough: by {measures} it is the smaller."
        f"{unproved} Where pure ε-DP is asked for, take Laplace noise."
    )


def _listed(words: list[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
