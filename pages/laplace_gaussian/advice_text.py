"""What to do: which mechanism to use for the query, and how the two noises that are compared stand to each other."""

from collections.abc import Sequence

from dpcore.calibrations import FAILS, WITHIN
from dpcore.laplace_gaussian import NoisePair
from dpcore.mechanism import Mechanism
from dpcore.recommendation import Recommendation, recommend
from pages.framework.parameters.number_format import format_input_up, format_up, share
from pages.laplace_gaussian.setting import ErrorPair, LaplaceGaussianSetting
from pages.laplace_gaussian.text import held_words, in_words, measure_names
from pages.shared import formulas

_MOST_EPSILON = 1e6
_MEASURES = {"variance": "variance", "mean_error": "mean_absolute_error", "accuracy": "half_width"}


def general(
    setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair, candidates: Sequence[Mechanism]
) -> str:
    """Which mechanism to use, and which of the two noises is the smaller by all measures."""
    return f"**What to do.** {_use(setting, candidates, 'accuracy')} {_compared(setting, noises, errors)}"


def by_measure(
    setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair, candidates: Sequence[Mechanism]
) -> str:
    """Which mechanism to use by the chosen measure, and which of the two noises is the smaller at the same ε."""
    name, named = in_words(setting.calibration), measure_names(setting)[setting.measure]
    first, second = (each[setting.measure] for each in errors)
    if noises.gaussian.status == FAILS:
        compared = _broken(name)
    elif second < first:
        compared = f"By {named} the {name} is smaller than Laplace noise.{_unproved(noises, name)}"
    else:
        compared = f"By {named} Laplace noise is no larger than the {name}."
    return f"**What to do.** {_use(setting, candidates, setting.measure)} {compared}"


def recommended(
    setting: LaplaceGaussianSetting, candidates: Sequence[Mechanism], measure: str
) -> tuple[Recommendation, Recommendation]:
    """Return the recommendation for pure ε-DP, and that where the δ of the page is acceptable.

    There are both, as Laplace noise has an answer wherever the page gives one.
    """
    whole = setting.case != "own"
    both = (
        recommend(candidates, guarantee, whole, setting.significance, measure=_MEASURES[measure])
        for guarantee in ("pure", "delta")
    )
    pure, loose = (each for each in both if each is not None)
    return pure, loose


def _use(setting: LaplaceGaussianSetting, candidates: Sequence[Mechanism], measure: str) -> str:
    """The mechanism to use at the page's ε, for pure ε-DP and where a δ is acceptable."""
    pure, loose = recommended(setting, candidates, measure)
    noise = f"{formulas.in_words(pure.mechanism)} noise, {_size(setting, pure, measure)}"
    first = f"At ε = {format_input_up(setting.epsilon)} add {noise}"
    if pure.mechanism == loose.mechanism:
        return f"{first}, which is pure ε-DP; a δ of {format_input_up(setting.delta)} gains nothing that counts."
    return (
        f"{first}, for pure ε-DP; if {loose.mechanism.guarantee} with δ = {format_input_up(setting.delta)} is enough, "
        f"{formulas.in_words(loose.mechanism)} noise, {_size(setting, loose, measure)}."
    )


def _size(setting: LaplaceGaussianSetting, recommendation: Recommendation, measure: str) -> str:
    error = format_up(recommendation.error)
    return f"±{error}" if measure == "accuracy" else f"{measure_names(setting)[measure]} {error}"


def _compared(setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair) -> str:
    """How the two noises that are compared stand to each other by all measures."""
    name = in_words(setting.calibration)
    if noises.gaussian.status == FAILS:
        return _broken(name)
    if setting.hold != "epsilon":
        return _at_other_epsilon(setting, noises, errors, name)
    first, second = errors
    smaller = {word: second[key] < first[key] for key, word in measure_names(setting).items()}
    wins, rest = (_listed([word for word, is_so in smaller.items() if is_so == so]) for so in (True, False))
    if not wins:
        return f"By {rest} Laplace noise is no larger than the {name}."
    if not rest:
        return f"By {wins} the {name} is smaller than Laplace noise.{_unproved(noises, name)}"
    return f"Laplace noise and the {name} are close: by {wins} the {name} is smaller, by {rest} it is not."


def _at_other_epsilon(setting: LaplaceGaussianSetting, noises: NoisePair, errors: ErrorPair, name: str) -> str:
    """Which of the two noises to prefer where they have not the same ε; neither where each is better at something."""
    kept, same = noises.gaussian.epsilon, held_words(setting)
    laplaces, gaussians = (each["accuracy"] for each in errors)
    sizes = f"{share(setting.significance)} of its releases fall within ±{format_up(gaussians)}, of Laplace’s within"
    beside = f"{sizes} ±{format_up(laplaces)}"
    if kept >= setting.epsilon:
        only = f"only ε = {format_up(kept)}, and a δ besides" if kept <= _MOST_EPSILON else "no ε up to 1e6"
        if kept <= _MOST_EPSILON and _as_shown(gaussians) < _as_shown(laplaces):
            return (
                f"With the {same} the {name} keeps {only}, but {beside}. "
                "Laplace noise has the stronger guarantee here, the Gaussian the smaller error: to compare the noises, "
                "hold ε equal."
            )
        return f"With the {same} the {name} keeps {only}: of the two Laplace noise is better."
    if _as_shown(gaussians) > _as_shown(laplaces):
        return (
            f"With the {same} the {name} keeps the smaller ε, {format_up(kept)}, at δ ="
            f" {format_input_up(setting.delta)}, but {beside}. To compare the noises, hold ε equal."
        )
    return (
        f"With the {same} the {name} keeps the smaller ε, {format_up(kept)}: of the two it is better if "
        f"{setting.calibration.promise} with δ = {format_input_up(setting.delta)} is promise enough."
    )


def _as_shown(value: float) -> float:
    """A size as it is shown, so that what reads alike counts as alike."""
    return float(f"{value:.3e}")


def _broken(name: str) -> str:
    return f"Do not use the σ that is compared: the {name}'s breaks its promise here."


def _unproved(noises: NoisePair, name: str) -> str:
    """That the σ is not proved, where it is not; after a space."""
    if noises.gaussian.status != WITHIN:
        return ""
    return f" The {name}'s σ is unproved here; the analytic Gaussian's is proved, and no larger."


def _listed(words: list[str]) -> str:
    return " and ".join(part for part in (", ".join(words[:-1]), *words[-1:]) if part)
