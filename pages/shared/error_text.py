"""How many releases fall within an error, and how the variances of two noises compare, in words."""

from decimal import Decimal

from pages.framework.parameters.number_format import format_nearest, percent_down, percent_up

LARGE_EPSILON = 10.0
"""The ε above which a guarantee is said to limit little: a probability may change by more than the factor 22,026."""
LITTLE = f"guarantees little at an ε above {LARGE_EPSILON:.0f}"


def share(significance: float) -> str:
    """Return the text of the share of releases that fall within the accuracy, never too large.

    >>> share(0.05), share(1 / 3), share(0.9999), share(1e-300)
    ('95 %', '66.66 %', '0.01 %', 'all but 1e-298 %')
    """
    return f"all but {percent_up(significance)}" if significance < 0.001 else _coverage(significance)


def _coverage(significance: float) -> str:
    """Return 1 − α of the decimal number that was entered: of floats, 1 − 0.9999 is below 0.0001."""
    return percent_down(float(1 - Decimal(repr(float(significance)))))


def within(significance: float) -> str:
    """Return how many releases fall within the accuracy, never too many: in whole numbers if they are short, else in %.

    >>> within(0.05), within(0.5), within(0.999)
    ('95 of 100 releases fall', '50 of 100 releases fall', '1 of 1,000 releases falls')
    >>> within(1e-6), within(1e-300)
    ('all but 1 of 1,000,000 releases fall', 'all but 1 of 1e300 releases fall')
    >>> within(1 / 3), within(1.23456e-300)
    ('at least 66.66 % of releases fall', 'all but 1.235e-298 % of releases fall')
    """
    counted = fraction_in_words(significance)
    if counted is not None:
        misses, total = counted
        return _count_text(total - misses, total, "fall")
    if significance < 0.001:
        return f"all but {percent_up(significance)} of releases fall"
    return f"at least {_coverage(significance)} of releases fall"


def beyond(significance: float) -> str:
    """Return how many releases miss by more than the accuracy, never too few.

    >>> beyond(0.05), beyond(0.999)
    ('5 of 100 releases miss', '999 of 1,000 releases miss')
    >>> beyond(1e-12), beyond(1 / 3)
    ('1 of 1e12 releases misses', 'at most 33.34 % of releases miss')
    """
    counted = fraction_in_words(significance)
    return f"at most {percent_up(significance)} of releases miss" if counted is None else _count_text(*counted, "miss")


def fraction_in_words(significance: float) -> tuple[int, int] | None:
    """Return the misses and the number of releases, one of them of at most four digits; None if both have more."""
    decimal = Decimal(repr(significance)).normalize()
    places = max(2, -int(decimal.as_tuple().exponent))
    total = 10**places
    misses = int(decimal.scaleb(places))
    return (misses, total) if min(misses, total - misses) < 10**4 else None


def _count_text(part: int, total: int, verb: str) -> str:
    count = f"{total:,}" if total <= 10**9 else f"1e{len(str(total)) - 1}"
    if total <= 10**4 or part < 10**4:
        plural = {"fall": "falls", "miss": "misses"}[verb] if part == 1 else verb
        return f"{part:,} of {count} releases {plural}"
    return f"all but {total - part:,} of {count} releases {verb}"


def variance_comparison(ratio: float) -> str:
    """Return the text of a ratio of variances as the effect of an alternative.

    >>> variance_comparison(1.573), variance_comparison(0.94), variance_comparison(40.2)
    ('have 57 % more variance', 'have 6 % less variance', 'have 40 times the variance')
    >>> variance_comparison(1.0001)
    'have about the same variance'
    """
    if ratio >= 10:
        return f"have {format_nearest(ratio, 2)} times the variance"
    change = round(100 * (ratio - 1))
    if not change:
        return "have about the same variance"
    return f"have {change} % more variance" if change > 0 else f"have {-change} % less variance"
