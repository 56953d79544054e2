"""One calibration's whole answer at one setting: its accuracy, the ε that a wanted accuracy takes, and its verdict."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dpcore import geometric
from dpcore.accuracy.formulas import ACCURACY_RANGE
from dpcore.accuracy.rules import epsilon_for, half_width
from dpcore.calibrations import GEOMETRIC, GEOMETRIC_PUBLISHED, UNDEFINED, Calibration
from dpcore.checks import DELTA_RANGE, EPSILON_RANGE, SENSITIVITY_RANGE, SIGNIFICANCE_RANGE, Array, one, one_whole

_MOST_STEPS = 1e50  # the greatest accuracy for which the exact geometric ε is solved; no count is beyond it


@dataclass(frozen=True)
class Answer:
    """What one calibration answers at one setting; a number is NaN where there is none.

    `accuracy` is the half-width at the given ε. With a wanted accuracy, `epsilon` is the ε that it takes, and `reached`
    the half-width that the noise of that ε really has: above the wanted one where the formula falls short of it, as
    `GEOMETRIC_PUBLISHED` may. `status` and `true_delta` are those of `Calibration.status`, at the ε that the wanted
    accuracy takes if there is one; "undefined" above 1e6, and as at `least_epsilon` below that.
    """

    calibration: Calibration
    accuracy: float
    epsilon: float
    reached: float
    status: str
    true_delta: float


def answer(
    calibration: Calibration,
    epsilon: float,
    delta: float,
    significance: float,
    sensitivity: float,
    wanted: float | None = None,
) -> Answer:
    """The accuracy of a calibration at ε, the ε that a wanted accuracy takes, and whether the promise then holds.

    Parameters
    ----------
    calibration : one of `RULES`.
    epsilon : in [0, 1e6]. Below `least_epsilon` there is no accuracy.
    delta : in [1e-300, 1).
    significance : α in [1e-300, 1).
    sensitivity : in [1e-100, 1e100], in query units; a whole number in [1, 1e15] for geometric noise.
    wanted : a in [1e-100, 1e100], in query units, or None.

    Returns
    -------
    `Answer`; a number is NaN also where the noise is beyond what a double holds.

    Examples
    --------
    >>> from dpcore.calibrations import CLASSICAL
    >>> found = answer(CLASSICAL, 1, 1e-6, 0.05, 1, wanted=0.5)
    >>> f"±{found.accuracy:.3f} at ε = 1; ±0.5 takes ε = {found.epsilon:.2f}, and that {found.status}"
    '±10.385 at ε = 1; ±0.5 takes ε = 20.77, and that fails'
    """
    epsilon, delta = one("epsilon", epsilon, EPSILON_RANGE), one("delta", delta, DELTA_RANGE)
    significance = one("significance", significance, SIGNIFICANCE_RANGE)
    if calibration.whole:
        sensitivity = one_whole("sensitivity", sensitivity, geometric.SENSITIVITY_RANGE)
    setting = significance, one("sensitivity", sensitivity, SENSITIVITY_RANGE), delta
    accuracy = needed = reached = np.nan
    if epsilon >= calibration.least_epsilon:
        accuracy = _known(half_width, calibration, epsilon, *setting)
    if wanted is not None:
        wanted = one("wanted", wanted, ACCURACY_RANGE)
        aim = min(wanted, _MOST_STEPS) if calibration is GEOMETRIC else wanted
        needed = _known(epsilon_for, calibration, aim, *setting)
        exact = GEOMETRIC if calibration is GEOMETRIC_PUBLISHED else calibration
        reached = _known(half_width, exact, max(needed, calibration.least_epsilon), *setting)
    promised = epsilon if wanted is None else needed
    if np.isnan(accuracy if wanted is None else needed):
        return Answer(calibration, accuracy, needed, reached, UNDEFINED, np.nan)
    standing = calibration.status(max(promised, calibration.least_epsilon), delta)
    return Answer(calibration, accuracy, needed, reached, str(standing.word), float(standing.true_delta))


def _known(formula: Callable[..., Array], calibration: Calibration, *numbers: float) -> float:
    """A formula's answer, NaN where the noise would be outside what a double holds."""
    try:
        return float(formula(calibration, *numbers))
    except ValueError:
        return np.nan
