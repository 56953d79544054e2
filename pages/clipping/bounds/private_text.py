"""The warning that bounds from confidential data leak, and what a private bound costs."""

import math

from pages.clipping.amounts import amount_up
from pages.clipping.bounds.results import BoundsResult
from pages.framework.parameters.number_format import format_nearest, percent

LEAK = (
    "**⚠ Bounds taken from confidential data leak:** no noise protects what they reveal. Use **public knowledge**, an "
    "**older release**, or a **private quantile**{cost}."
)
EQUAL_VALUES = (
    " **Where many people have the same value, a private quantile can be far off**: it lies anywhere up to the next "
    "different values, at every ε. Of a million values 5 in a range from 0 to 10, three private medians at ε = 1 were "
    "9.75, 4.74 and 2.12. Spread such values first: add to each a random number of its own, of at most half the step "
    "to which it is rounded."
)


def leak_text(bounds: BoundsResult) -> str:
    """Return the warning that bounds from confidential data leak, with the cost of a private bound."""
    private = bounds.private
    if private is None:
        cost = ", whose cost the page shows for values from lo = 0 on and continuous noise"
        return LEAK.format(cost=cost) + EQUAL_VALUES
    ratio = private.error / float(bounds.best.root_mean_square_error)
    cost = (
        f": with {percent(private.share)} of ε for the {quantile_name(private.quantile)} between 0 and the "
        f"maximum of your range, the root mean square error is {amount_up(private.error)}, "
        f"{format_nearest(ratio, 3)} times that at the best public bound"
    )
    return LEAK.format(cost=cost) + EQUAL_VALUES


def quantile_name(quantile: float) -> str:
    """Return the name of a quantile, with two digits of the share that is above it.

    >>> quantile_name(0.75), quantile_name(1 - 1.28e-4), quantile_name(0.0), quantile_name(1.0)
    ('75 % quantile', '99.987 % quantile', 'minimum', 'maximum')
    """
    if quantile in (0, 1):
        return "maximum" if quantile else "minimum"
    places = max(1 - math.floor(math.log10(100 * (1 - quantile))), 0)
    return f"{100 * quantile:.{places}f} % quantile"
