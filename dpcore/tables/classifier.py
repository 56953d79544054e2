"""Fig. 12 of [Liu19]: how well a support vector machine predicts Adult's incomes when trained on released cells.

[Liu19] used the svm command of the R package e1071 and doesn't say how labels and counts reached it. Here a cell is a
combination of the 13 attributes and the income, so that the label is released with noise too, and weighs in training
what its released count says; numbers are centred and scaled by these weights, words become one column for each value,
the kernel is e^{−γ|x−y|²} with γ = 1/(number of columns), and the cost is 1: e1071's defaults.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array
from dpcore.readers.adult import ADULT_NUMBERS, ADULT_WORDS
from dpcore.tables.adult import ATTRIBUTES
from dpcore.tables.experiments import sanitised
from dpcore.tables.release import post_process
from dpcore.tables.settings import Setting


@dataclass(frozen=True)
class SvmScore:
    """Share of test records predicted right, its standard error for these records, and how many cells trained it.

    `setting` is None for the original counts.
    """

    setting: Setting | None
    accuracy: float
    standard_error: float
    n_cells: int


def svm_accuracy(
    rng: np.random.Generator, train: pd.DataFrame, test: pd.DataFrame, settings: Sequence[Setting]
) -> Iterator[SvmScore]:
    r"""Scores one by one: trained on the original cells, then on one release by each setting ([Liu19] Fig. 12).

    Parameters
    ----------
    train, test : records, of `adult_split`; all of Adult's take from 10 to 40 seconds a score.
    settings : of `experiment_settings`; counts are clipped to [0, n] and scaled to n, with n records in `train`.
    rng : the source of randomness.

    Returns
    -------
    An iterator: who asks it for no more stops the training. Cells released as 0 take no part.

    Raises
    ------
    ImportError
        One sentence, where scikit-learn is not installed.

    Examples
    --------
    >>> from dpcore.readers import read_adult
    >>> from dpcore.tables import experiment_settings
    >>> form = "{0}, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, {1}50K"
    >>> lines = [form.format(age, ">" if age > 39 else "<=") for age in range(20, 60)]
    >>> records = read_adult("\n".join(lines).encode())
    >>> scores = svm_accuracy(np.random.default_rng(1), records, records, experiment_settings(20, 0.1, ["laplace"]))
    >>> [(score.accuracy > 0.9, score.n_cells) for score in scores]
    [(True, 40), (True, 40)]
    """
    try:
        from sklearn.svm import SVC
    except ImportError:
        raise ImportError("the support vector machine needs scikit-learn: pip install scikit-learn") from None
    sizes = train.groupby([*ATTRIBUTES, "income"]).size()
    counts, cells, n = sizes.to_numpy(np.float64), sizes.index.to_frame(index=False), len(train)
    numbers, words = _columns(pd.concat([cells, test]))
    rich = np.concatenate([cells["income"], test["income"]]) == ">50K"

    def score(setting: Setting | None, weights: Array) -> SvmScore:
        used = np.flatnonzero(weights > 0)
        mean = np.average(numbers[used], axis=0, weights=weights[used])
        spread = np.sqrt(np.average((numbers[used] - mean) ** 2, axis=0, weights=weights[used]))
        features = np.hstack([(numbers - mean) / np.where(spread > 0, spread, 1.0), words])
        predicted: NDArray[np.bool_] = np.full(len(test), rich[used[0]])
        if len(set(rich[used])) > 1:
            machine = SVC(C=1.0, gamma=1 / features.shape[1], cache_size=500)
            predicted = machine.fit(features[used], rich[used], weights[used]).predict(features[len(cells) :])
        accuracy = float(np.mean(predicted == rich[len(cells) :]))
        return SvmScore(setting, accuracy, float(np.sqrt(accuracy * (1 - accuracy) / len(test))), len(used))

    def scores() -> Iterator[SvmScore]:
        yield score(None, counts)
        for setting, released in zip(settings, sanitised(rng, counts, settings), strict=True):
            yield score(setting, post_process(released, clip=n, total=n))

    return scores()


def _columns(records: pd.DataFrame) -> tuple[Array, Array]:
    """Return the columns of numbers as they are, and a column of 0 and 1 for each value of each column of words."""
    words = pd.get_dummies(records[list(ADULT_WORDS)])
    return records[list(ADULT_NUMBERS)].to_numpy(np.float64), words.to_numpy(np.float64)
