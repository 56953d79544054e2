"""Hostile texts for numbers and names: valid ones, boundary cases and invalid ones."""

import math
from functools import cache

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dpcore.checks import interval_bounds

HOST = "evil.example"  # of every address and every mark in what is sent: it stands in no tag of what is answered
MARKUP = (
    "<img src=x onerror=evil()>",
    f"<a href=https://{HOST}>evil</a>",
    "<b class=evil>b</b>",
    f"<svg/onload=fetch('//{HOST}')>",
    "</script><script>evil()</script>",
    f"<style>*{{background:url(https://{HOST})}}</style>",
    "&lt;img src=evil&gt;",
    "&#60;i class=evil&#62;",
    f"[x](https://{HOST})",
    f"![x](https://{HOST}/x.png)",
    f"\\[x](https://{HOST})",
    f"[x]: https://{HOST}",
    f"<https://{HOST}>",
    f"https://{HOST}",
    f"see HTTP://{HOST}/a?b=c.",
    f"www.{HOST}",
    f"me@{HOST}",
    f"x] (https://{HOST})",
    f"$\\href{{https://{HOST}}}{{x}}$",
    "javascript:evil()",
    "%{evil}",
    "%{customdata[0]} {0} {evil} {{",
)
NAMES = (
    *MARKUP,
    "",
    "People",
    "**b** $c$ `d` ~~e~~ _f_",
    ":material/home: :red[x]",
    "1. a|b",
    "# h",
    "> q\n- r",
    "```",
    "a=b;c@d*2,e:f!g~h_i&j+k%20%",
    "'\"",
    '"North" & "South" side of the old "town"',
    "\\",
    "=1+1",
    "@SUM(A1)",
    "+1;-1\t=1",
    "a\r\n# link: b",
    "\u202eabc\u202c",
    "\u200b",
    "\ufeffx",
    "a\x00\x1b[31m",
    "na\u00efve \u2603 \U0001d4b3 \U0001f600",
    "\u0645\u0631\u062d\u0628\u0627",
    "é" * 99,
    "x" * 3000,
)
NO_NUMBERS = (
    *("", " ", "abc", "nan", "inf", "-inf", "NaN", "Infinity", "None", "null", "undefined", "true", "0x10", "1_0"),
    *("٣", "½", "1e", "e5", "--1", "1,5", "1,732", "1;2", "1 2", "()", "((((1", "√", "√-1", "0/0", "1/0", "0^-1"),
    *("1e400", "1.8e308", "-1e308", "1e-400", "5e-324", "1e99999999999999999999", "0e99999999999999999999"),
    *(
        "9^9^9^9^9",
        "2^-1075",
        "√" * 30 + "2",
        "(" * 50 + "1" + ")" * 50,
        "9" * 5000,
        "0." + "0" * 400 + "1",
        "," * 5000,
    ),
    *("<b class=evil>1</b>", "${x}", "%{evil}", "__import__('os')", "1\x002", "\u202e1", "\ufeff1", "1\u200b"),
)
WAYS = ("{0!r}", "{0!r}", "{0:.2g}", "{0:.17g}", " {0!r} ", "+{0!r}", "({0!r})", "{0!r}/1", "1·{0!r}")


@cache
def junk() -> SearchStrategy[str]:
    """Generate texts that are neither numbers nor known names."""
    return st.one_of(st.sampled_from(NO_NUMBERS), st.sampled_from(NAMES), st.text(max_size=30))


@cache
def names() -> SearchStrategy[str]:
    """Generate names."""
    odd = st.text(st.sampled_from("ab<>&;=@*!:,~_|'\"\\`$#{}[]()%+-\n\t\u202e\u200b\ufeff 01"), max_size=12)
    return st.one_of(st.sampled_from(NAMES), st.sampled_from(NAMES), odd)


def numbers(limits: str, whole: bool = False, known: tuple[str, ...] = ()) -> SearchStrategy[str]:
    """Generate texts for a number of a range: values inside, its ends and neighbours, values beyond, and no numbers.

    `known` are texts that are surely in it.
    """
    low, high = interval_bounds(limits)
    edges = {low, high, 0.0, 1.0, math.nextafter(low, math.inf), math.nextafter(high, -math.inf)}
    beyond = (math.nextafter(low, -math.inf), math.nextafter(high, math.inf), 2 * high, -high, low - 1, 1e300, 5e-324)
    usual = st.floats(-3, 3).map(lambda exponent: 10**exponent)
    inside = st.one_of(usual, usual, _anywhere(low, high), st.sampled_from(sorted(edges)))
    good = inside.map(lambda value: min(max(value, low), high)).map(round if whole and high < math.inf else float)
    formatted = st.builds(str.format, st.sampled_from(WAYS), good)
    outside = st.sampled_from([repr(value) for value in beyond])
    mostly = [formatted] * 12 + ([st.sampled_from(known)] * 4 if known else [])
    return st.one_of(*mostly, outside, junk())


def _anywhere(low: float, high: float) -> SearchStrategy[float]:
    """Generate numbers of all magnitudes between two, also close to either."""
    top = min(high, 1e308)
    least = low if low > 0 else top * 1e-300 or 1e-300
    sizes = st.floats(math.log10(least), math.log10(top)).map(lambda exponent: 10**exponent)
    if low < 0:
        sizes = st.builds(lambda size, sign: sign * size, sizes, st.sampled_from((-1, 1)))
    return st.one_of(sizes, st.floats(-16, -1).map(lambda exponent: top * (1 - 10**exponent)))
