"""UCI Adult, the third data set of [Liu19] §4: the records that it keeps, and its cells.

A cell is a combination of the 13 attributes without the sampling weight (fnlwgt) and the income. Of some 3·10¹⁶
combinations only those that occur can be listed, so [Liu19] releases these alone, "understanding this might not be the
best practice": a combination that is there tells that somebody has it, whatever noise its count gets. No (ε, δ) covers
that. A record that is alone in its cell is given away by the cell's presence.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. B. Becker & R. Kohavi, Adult, UCI Machine Learning
Repository, 1996, doi:10.24432/C5XW20.
"""

import math

import numpy as np
import pandas as pd

from dpcore.checks import Array, generator
from dpcore.readers.adult import ADULT_NUMBERS, ADULT_WORDS

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
