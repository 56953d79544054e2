"""Points (α, β) of a trade-off curve, read from a file or from numbers that were pasted."""

from itertools import islice

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import ANY_SEPARATOR, open_csv
from dpcore.readers.entries import short_text
from dpcore.tradeoff.points import MOST_POINTS


def read_curve_points(data: bytes) -> tuple[Array, Array]:
    r"""Return α and β from text with a point on each line; commas, semicolons, tabs or spaces separate the numbers.

    The text is UTF-8 or UTF-16, and entries may stand within double quotes. A header with the names alpha and beta, in
    any case and order, may stand on top; without one the first number is α. Blank lines are left out, and so are lines
    at the top that begin with "# ".

    Raises
    ------
    ValueError
        One sentence with the line and the reason: bytes that are no text, a line without two numbers, a number outside
        [0, 1], a β above 1 − α, fewer than two points, more than 10⁶, a header without alpha and beta, or columns that
        seem to be swapped and have no header to settle it.

    Examples
    --------
    >>> alpha, beta = read_curve_points(b"alpha,beta\n0.1,0.6\n0.4,0.2\n")
    >>> alpha.tolist(), beta.tolist()
    ([0.1, 0.4], [0.6, 0.2])
    """
    rows = list(islice(open_csv(data, separator=ANY_SEPARATOR, same_width=False).rows, MOST_POINTS + 2))
    columns, width = (0, 1), 2
    has_header = bool(rows) and _parse_float(rows[0][1][0]) is None
    if has_header:
        line, header = rows.pop(0)
        columns, width = _columns(line, header), len(header)
    if len(rows) > MOST_POINTS:
        raise ValueError(f"line {rows[MOST_POINTS][0]}: more than {MOST_POINTS:,} points")
    if len(rows) < 2:
        raise ValueError(f"there must be at least 2 points, and {len(rows)} can be read")
    alpha, beta = np.array([_point(line, entries, columns, width) for line, entries in rows]).T
    if not has_header and len(rows) > 2 and np.all(np.diff(alpha) <= 0) and np.all(np.diff(beta) >= 0):
        raise ValueError(
            f"line {rows[0][0]}: the first column falls while the second rises, so the two may be swapped; name them "
            "alpha and beta in a first line"
        )
    return alpha, beta


def _columns(line: int, header: list[str]) -> tuple[int, int]:
    """Return the indices of the columns alpha and beta."""
    names = [name.strip("'").lower() for name in header]
    if names.count("alpha") != 1 or names.count("beta") != 1:
        content = short_text(" ".join(header))
        raise ValueError(f"line {line}: the header must name alpha and beta once each; it says {content}")
    return names.index("alpha"), names.index("beta")


def _point(line: int, entries: list[str], columns: tuple[int, int], width: int) -> tuple[float, float]:
    if len(entries) != width:
        needed = "two numbers, alpha and beta, are" if width == 2 else f"{width} entries, as in the header, are"
        raise ValueError(f"line {line}: {needed} needed, not {len(entries)}")
    alpha, beta = (
        _parse_rate(line, name, entries[column]) for name, column in zip(("alpha", "beta"), columns, strict=True)
    )
    if beta > 1 - alpha + 1e-12:
        raise ValueError(
            f"line {line}: beta is {beta:.12g}, above 1 − alpha = {1 - alpha:.12g}, worse than guessing; is it the "
            "power 1 − beta?"
        )
    return alpha, beta


def _parse_rate(line: int, name: str, entry: str) -> float:
    rate = _parse_float(entry)
    if rate is None or not 0 <= rate <= 1:
        raise ValueError(f"line {line}: {name} is {short_text(entry)}, not a number from 0 to 1")
    return rate


def _parse_float(entry: str) -> float | None:
    try:
        return float(entry)
    except ValueError:
        return None
