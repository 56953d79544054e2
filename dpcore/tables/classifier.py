"""Fig. 12 of [Liu19]: how well a support vector machine predicts Adult's incomes when trained on released cells.

[Liu19] used the svm command of the R package e1071 and doesn't say how labels and counts reached it. Here a cell of UCI
Adult is a combination of the 13 attributes, without the sampling weight (fnlwgt), and the income, so that the label is
released with noise too, and weighs in training what its released count says; numbers are centred and scaled by these
weights, words become one column for each value, the kernel is e^{−γ|x−y|²} with γ = 1/(number of columns), and the cost
is 1: e1071's defaults.

Of some 3·10¹⁶ combinations only those that occur can be listed, so [Liu19] releases these alone, "understanding this
might not be the best practice": a combination that is there tells that somebody has it, whatever noise its count gets.
No (ε, δ) covers that. A record that is alone in its cell is given away by the cell's presence.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. B. Becker & R. Kohavi, Adult, UCI Machine Learning
Repository, 1996, doi:10.24432/C5XW20.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.checks import Array, generator
from dpcore.readers.adult import ADULT_NUMBERS, ADULT_WORDS
from dpcore.tables.experiments import Setting, sanitised
from dpcore.tables.release import post_process

ATTRIBUTES = ADULT_NUMBERS + ADULT_WORDS
_CAPPED_GAIN = 99_999


def adult_completers(records: pd.DataFrame) -> pd.DataFrame:
    """Return the records that [Liu19] used: no "?", and no capital gain of 99,999, where the gain is cut off.

    Where there is a column `split`, those marked "train" only. Of UCI's adult.data these are 30,014 of 32,561.

    Examples
    --------
    >>> from dpcore.readers import read_adult
    >>> line = b"39, ?, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> len(adult_completers(read_adult(line)))
    0
    """
    is_used = (records["capital_gain"] != _CAPPED_GAIN) & ~records[list(ADULT_WORDS)].eq("?").any(axis=1)
    if "split" in records:
        is_used &= records["split"] == "train"
    return pd.DataFrame(records[is_used]).reset_index(drop=True)


def adult_split(rng: np.random.Generator, completers: pd.DataFrame) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return two thirds to train and one third to test, at random: 20,009 and 10,005 of 30,014, as in [Liu19].

    [Liu19] doesn't say which records fell where. Its 17,985 non-empty training cells are those of its own draw; the
    draws of NumPy's seeds 0 to 9 have from 17,927 to 18,021.

    Examples
    --------
    >>> train, test = adult_split(np.random.default_rng(1), pd.DataFrame({"age": range(9)}))
    >>> len(train), len(test)
    (6, 3)
    """
    generator("rng", rng)
    order = rng.permutation(len(completers))
    n_train = round(2 * len(completers) / 3)
    train, test = (completers.iloc[np.sort(part)] for part in (order[:n_train], order[n_train:]))
    return train.reset_index(drop=True), test.reset_index(drop=True)


def adult_counts(records: pd.DataFrame) -> Array:
    r"""Return the counts of the non-empty cells over the 13 attributes, in the order of their values.

    Examples
    --------
    >>> from dpcore.readers import read_adult
    >>> line = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> adult_counts(read_adult(b"\n".join([line, line.replace(b"7", b"8"), line.replace(b"39", b"40")]))).tolist()
    [2.0, 1.0]
    """
    return records.groupby(list(ATTRIBUTES)).size().to_numpy(np.float64)


def possible_cells(records: pd.DataFrame) -> float:
    r"""Return how many combinations there are of the 13 attributes' values that occur: the cells of the whole table.

    Examples
    --------
    >>> from dpcore.readers import read_adult
    >>> line = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> possible_cells(read_adult(b"\n".join([line, line.replace(b"39", b"40").replace(b"Cuba", b"Peru")])))
    4.0
    """
    return math.prod(float(len(set(records[name]))) for name in ATTRIBUTES)


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
    records = pd.concat([cells, test])
    numbers = records[list(ADULT_NUMBERS)].to_numpy(np.float64)
    words = pd.get_dummies(records[list(ADULT_WORDS)]).to_numpy(np.float64)  # 0 or 1 for each value of a column
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
