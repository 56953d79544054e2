"""Points (α, β) of a curve as somebody writes them: a CSV, or numbers pasted from a table."""

import numpy as np

from dpcore.checks import Array
from dpcore.readers.csv_file import ANY_SEPARATOR, open_csv, short_text
from dpcore.tradeoff.curve import MOST_POINTS


def read_curve_points(data: bytes) -> tuple[Array, Array]:
    r"""Read α and β from text, a point a line, the numbers separated by a comma, a semicolon, a tab or spaces.

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
    lines = list(open_csv(data, separator=ANY_SEPARATOR, same_width=False).rows)
    columns, header = (0, 1), ["alpha", "beta"]
    named = bool(lines) and _number(lines[0][1][0]) is None
    if named:
        place, header = lines.pop(0)
        names = [name.strip("'").lower() for name in header]
        if names.count("alpha") != 1 or names.count("beta") != 1:
            raise ValueError(
                f"line {place}: the header must name alpha and beta once each; it says {short_text(' '.join(header))}"
            )
        columns = (names.index("alpha"), names.index("beta"))
    if len(lines) > MOST_POINTS:
        raise ValueError(f"line {lines[MOST_POINTS][0]}: more than {MOST_POINTS:,} points")
    if len(lines) < 2:
        raise ValueError(f"there must be at least 2 points, and {len(lines)} can be read")
    width = len(header)
    points = np.array([_point(place, entries, columns, width) for place, entries in lines]).T
    alpha, beta = points
    if not named and len(lines) > 2 and np.all(np.diff(alpha) <= 0) and np.all(np.diff(beta) >= 0):
        raise ValueError(
            f"line {lines[0][0]}: the first column falls while the second rises, so the two may be swapped; name them "
            "alpha and beta in a first line"
        )
    return alpha, beta


def _point(place: int, entries: list[str], columns: tuple[int, int], width: int) -> tuple[float, float]:
    if len(entries) != width:
        needed = "two numbers, alpha and beta, are" if width == 2 else f"{width} entries, as in the header, are"
        raise ValueError(f"line {place}: {needed} needed, not {len(entries)}")
    values = []
    for name, column in zip(("alpha", "beta"), columns, strict=True):
        value = _number(entries[column])
        if value is None or not 0 <= value <= 1:
            raise ValueError(f"line {place}: {name} is {entries[column][:40]}, not a number from 0 to 1")
        values.append(value)
    alpha, beta = values
    if beta > 1 - alpha + 1e-12:
        raise ValueError(
            f"line {place}: beta is {beta:.12g}, above 1 − alpha = {1 - alpha:.12g}, worse than guessing; is it the "
            "power 1 − beta?"
        )
    return alpha, beta


def _number(entry: str) -> float | None:
    try:
        return float(entry)
    except ValueError:
        return None
