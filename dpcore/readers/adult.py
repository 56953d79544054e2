"""UCI Adult, one of the data sets of [Liu19] §4, read from its file or downloaded.

References
----------
[Liu19] F. Liu, IEEE TKDE 31(4), 2019, doi:10.1109/TKDE.2018.2845388. B. Becker & R. Kohavi, Adult, UCI Machine Learning
Repository, 1996, doi:10.24432/C5XW20.
"""

import re
import time
from http.client import HTTPException
from urllib.request import urlopen

import numpy as np
import pandas as pd

from dpcore.readers.csv_file import decompress, open_csv
from dpcore.readers.number_columns import short_text

ADULT_ADDRESS = "https://archive.ics.uci.edu/ml/machine-learning-databases/adult/adult.data"
MOST_ADULT_BYTES = 20_000_000  # also when unpacked; adult.data and adult.test together have 6 MB
_TOO_MUCH = f"line 1: more than {MOST_ADULT_BYTES // 1_000_000} MB, and Adult has 6"
ADULT_NUMBERS = ("age", "education_num", "capital_gain", "capital_loss", "hours_per_week")
ADULT_WORDS = (
    "workclass",
    "education",
    "marital_status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "native_country",
)
# fmt: off
_FILE_ORDER = [
    "age", "workclass", "fnlwgt", "education", "education_num", "marital_status", "occupation", "relationship", "race",
    "sex", "capital_gain", "capital_loss", "hours_per_week", "native_country", "income",
]
# fmt: on
_INCOME, _WHOLE = re.compile("<=50K|>50K"), re.compile("[0-9]{1,9}")


def read_adult(data: bytes) -> pd.DataFrame:
    """Return Adult's records from a file: adult.data, adult.test, or a CSV with a header, each packed by gzip or not.

    Parameters
    ----------
    data : the bytes of the file, at most 20 MB, also when unpacked; commas separate its columns. Without a header the
        columns are in UCI's order. Lines that begin with a bar are left out, as in the first line of adult.test.

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
    content = decompress(data, MOST_ADULT_BYTES, _TOO_MUCH)
    rows, lines, header = [], [], list(_FILE_ORDER)
    for line, entries in open_csv(content, separator=",", same_width=False).rows:
        row = [entry.strip() for entry in entries]
        if row[0].startswith("|"):
            continue
        if not rows and "income" in (entry.lower() for entry in row):
            header = _header(line, row)
        elif len(row) != len(header):
            raise ValueError(f"line {line}: {len(row)} entries where Adult has {len(header)}")
        else:
            rows.append(row)
            lines.append(line)
    if not rows:
        raise ValueError("line 1: there is no record of Adult")
    return _frame_with_numbers(header, rows, lines)


def _header(line: int, row: list[str]) -> list[str]:
    header = [name.lower().replace("-", "_") for name in row]
    missing = [name for name in _FILE_ORDER if header.count(name) != 1]
    if missing:
        raise ValueError(
            f"line {line}: the header must have one column named {missing[0]}, it has {header.count(missing[0])}"
        )
    return header


def _frame_with_numbers(header: list[str], rows: list[list[str]], lines: list[int]) -> pd.DataFrame:
    columns = {name: list(column) for name, column in zip(header, zip(*rows, strict=True), strict=True)}
    columns["income"] = [entry.rstrip(".") for entry in columns["income"]]
    for name in (*ADULT_NUMBERS, "fnlwgt"):
        _refuse(name, columns[name], _WHOLE, lines, "a whole number below 1e9")
    _refuse("income", columns["income"], _INCOME, lines, "<=50K or >50K")
    numbers = {name: np.array(columns[name], dtype=np.int64) for name in (*ADULT_NUMBERS, "fnlwgt")}
    return pd.DataFrame({name: (columns | numbers)[name] for name in (*_FILE_ORDER, "split") if name in columns})


def _refuse(name: str, column: list[str], pattern: re.Pattern[str], lines: list[int], requirement: str) -> None:
    for entry, line in zip(column, lines, strict=True):
        if not pattern.fullmatch(entry):
            raise ValueError(f"line {line}: {name} must be {requirement}, it is {short_text(entry) or 'empty'}")


def download_adult(address: str = ADULT_ADDRESS, timeout: float = 10.0) -> bytes:
    """Return the bytes of adult.data from UCI's own address; nothing is stored.

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
