"""UCI Adult, the third data set of [Liu19] §4: read or fetched, its cells, and a classifier trained on released cells.

A cell is a combination of the 13 attributes without the sampling weight (fnlwgt) and the income. Of some 3·10¹⁶
combinations only those that occur can be listed, so [Liu19] releases these alone, "understanding this might not be the
best practice": a combination that is there tells that somebody has it, whatever noise its count gets. No (ε, δ) covers
that. A record that is alone in its cell is given away by the cell's presence.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. B. Becker & R. Kohavi, Adult, UCI Machine Learning
Repository, 1996, doi:10.24432/C5XW20.
"""

import csv
import math
import re
import time
from http.client import HTTPException
from io import StringIO
from urllib.request import urlopen

import numpy as np
import pandas as pd

from dpcore._sheet import text_of, unpacked
from dpcore.checks import Array, generator

ADULT_ADDRESS = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data"
MOST_ADULT_BYTES = 20_000_000  # also when unpacked; adult.data and adult.test together have 6 MB
_TOO_MUCH = f"line 1: more than {MOST_ADULT_BYTES // 1_000_000} MB, and Adult has 6"
NUMBERS = ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week")
WORDS = (
    "workclass",
    "education",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native_country",
)
ATTRIBUTES = NUMBERS + WORDS
# fmt: off
_FILE_ORDER = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship", "race",
    "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
]
# fmt: on
_INCOME, _WHOLE = re.compile("<=50K|>50K"), re.compile("[0-9]{1,9}")
_CAPPED_GAIN = 99_999


def read_adult(data: bytes) -> pd.DataFrame:
    """Return Adult's records from a file: adult.data, adult.test, or a CSV with a header, each packed by gzip or not.

    Parameters
    ----------
    data : the bytes of the file, in UTF-8; at most 20 MB, unpacked too. Without a header the order is UCI's.

    Returns
    -------
    The 15 columns of UCI's file, hyphens as underscores, "?" kept, incomes "<=50K" and ">50K"; and the column `split`
    where the file has one.

    Raises
    ------
    ValueError
        One sentence with the line and the reason.

    Examples
    --------
    >>> line = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> read_adult(line)[["age", "sex", "income"]].to_dict("records")
    [{'age': 39, 'sex': 'Male', 'income': '<=50K'}]
    """
    text = text_of(unpacked(data, MOST_ADULT_BYTES, _TOO_MUCH))
    reader = csv.reader(StringIO(text, newline=""), skipinitialspace=True, strict=True)
    rows, lines, header = [], [], list(_FILE_ORDER)
    try:
        for row in reader:
            row = [entry.strip() for entry in row]
            if not any(row) or row[0].startswith("|"):
                continue
            if not rows and "income" in (entry.lower() for entry in row):
                header = _header(row)
            elif len(row) != len(header):
                raise ValueError(f"line {reader.line_num}: {len(row)} entries where Adult has {len(header)}")
            else:
                rows.append(row)
                lines.append(reader.line_num)
    except csv.Error as error:
        raise ValueError(f"line {reader.line_num}: {error}") from None
    if not rows:
        raise ValueError("line 1: there is no record of Adult")
    return _typed(header, rows, lines)


def _header(row: list[str]) -> list[str]:
    header = [name.lower().replace("-", "_") for name in row]
    missing = [name for name in _FILE_ORDER if header.count(name) != 1]
    if missing:
        raise ValueError(
            f"line 1: the header must have one column named {missing[0]}, it has {header.count(missing[0])}"
        )
    return header


def _typed(header: list[str], rows: list[list[str]], lines: list[int]) -> pd.DataFrame:
    columns = {name: list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)}
    columns["income"] = [entry.rstrip(".") for entry in columns["income"]]
    for name in (*NUMBERS, "fnlwgt"):
        _refuse(name, columns[name], _WHOLE, lines, "a whole number below 1e9")
    _refuse("income", columns["income"], _INCOME, lines, "<=50K or >50K")
    numbers = {name: np.array(columns[name], dtype=np.int64) for name in (*NUMBERS, "fnlwgt")}
    return pd.DataFrame({name: (columns | numbers)[name] for name in (*_FILE_ORDER, "split") if name in columns})


def _refuse(name: str, column: list[str], pattern: re.Pattern[str], lines: list[int], wanted: str) -> None:
    for entry, line in zip(column, lines, strict=True):
        if not pattern.fullmatch(entry):
            raise ValueError(f"line {line}: {name} must be {wanted}, it is {entry[:40] or 'empty'}")


def download_adult(address: str = ADULT_ADDRESS, timeout: float = 10.0) -> bytes:
    """The bytes of adult.data from UCI's own address; nothing is kept.

    Parameters
    ----------
    address : where the file is.
    timeout : seconds to wait for an answer, and six times that for the whole of it.

    Raises
    ------
    ConnectionError
        One sentence that says why there is no file and what to do.

    Examples
    --------
    >>> download_adult("data:text/plain,39, Private")
    b'39, Private'
    """
    pieces, end = [], time.monotonic() + 6 * timeout
    try:
        with urlopen(address, timeout=timeout) as answer:
            while piece := answer.read(2**16):
                pieces.append(piece)
                if time.monotonic() > end:
                    raise TimeoutError("it came too slowly")
                if sum(map(len, pieces)) > MOST_ADULT_BYTES:
                    raise OSError(f"it has more than {MOST_ADULT_BYTES // 1_000_000} MB")
    except (OSError, HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        raise ConnectionError(
            f"Adult could not be fetched from {address} ({reason}): give adult.data as a file instead"
        ) from None
    return b"".join(pieces)


def adult_completers(records: pd.DataFrame) -> pd.DataFrame:
    """The records that [Liu19] used: no "?", and no capital gain of 99,999, where the gain is cut off.

    Where there is a column `split`, those marked "train" only. Of UCI's adult.data these are 30,014 of 32,561.

    Examples
    --------
    >>> line = b"39, ?, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> len(adult_completers(read_adult(line)))
    0
    """
    keep = (records["capital_gain"] != _CAPPED_GAIN) & ~records[list(WORDS)].eq("?").any(axis=1)
    if "split" in records:
        keep &= records["split"] == "train"
    return pd.DataFrame(records[keep]).reset_index(drop=True)


def adult_split(completers: pd.DataFrame, rng: np.random.Generator) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Two thirds to train and one third to test, at random: 20,009 and 10,005 of 30,014, as in [Liu19].

    [Liu19] doesn't say which records fell where. Its 17,985 non-empty training cells are those of its own draw; the
    draws of NumPy's seeds 0 to 9 have from 17,927 to 18,021.

    Examples
    --------
    >>> train, test = adult_split(pd.DataFrame({"age": range(9)}), np.random.default_rng(1))
    >>> len(train), len(test)
    (6, 3)
    """
    generator("rng", rng)
    order = rng.permutation(len(completers))
    n_train = round(2 * len(completers) / 3)
    train, test = (completers.iloc[np.sort(part)] for part in (order[:n_train], order[n_train:]))
    return train.reset_index(drop=True), test.reset_index(drop=True)


def adult_counts(records: pd.DataFrame) -> Array:
    r"""The counts of the non-empty cells over the 13 attributes, in the order of their values.

    Examples
    --------
    >>> line = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> adult_counts(read_adult(b"\n".join([line, line.replace(b"7", b"8"), line.replace(b"39", b"40")]))).tolist()
    [2.0, 1.0]
    """
    return records.groupby(list(ATTRIBUTES)).size().to_numpy(np.float64)


def possible_cells(records: pd.DataFrame) -> float:
    r"""How many combinations there are of the 13 attributes' values that occur: the cells of the whole table.

    Examples
    --------
    >>> line = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K"
    >>> possible_cells(read_adult(b"\n".join([line, line.replace(b"39", b"40").replace(b"Cuba", b"Peru")])))
    4.0
    """
    return math.prod(float(len(set(records[name]))) for name in ATTRIBUTES)
