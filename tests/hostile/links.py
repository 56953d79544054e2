"""Hostile links to a page: texts for some of its parameters, generated from the parameters."""

import inspect
import re
from functools import cache
from urllib.parse import quote, urlencode

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from pages.framework.export.exhibit import ANSWER, SEPARATOR
from pages.framework.layout.page import load_page
from pages.framework.parameters.kinds import Choice, FreeText, NumberList, Pin, Quantity
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import Parameter
from pages.framework.site import PageEntry
from pages.plan import query_kinds
from pages.plan.quantities import HALF_WIDTH, LOCKS, SIZE, lock_quantity
from pages.report.parameters import ReportItems
from pages.shared import releases, site_map
from pages.shared.counts.linked_table import OwnTable
from pages.tradeoff import curve_kinds, curve_list
from pages.tradeoff.attack.upload import AttackCounts
from tests.hostile.texts import junk, names, numbers

Link = dict[str, list[str]]
MOST_GIVEN = 8  # parameters of a link
ENDLESS = 100_000  # characters of a list without end, twice as many as a link may have
_TRIALS = numbers("[0, 1e9]", whole=True)
_RATE = numbers("[0, 1]")


def texts(parameter: Parameter) -> SearchStrategy[str]:
    """Generate texts for a parameter by its kind; an unknown kind gets changed defaults and unusable texts."""
    if isinstance(parameter, Quantity):
        return _quantity(parameter)
    if isinstance(parameter, Choice):
        return _mostly(st.sampled_from([*parameter.options]), junk())
    if isinstance(parameter, NumberList):
        return _mostly(_listed(_quantity(parameter.quantity), parameter.max_numbers, (",", ", ", ";")), junk())
    if isinstance(parameter, Pin):
        return _pinned_queries(parameter)
    if isinstance(parameter, Listing):
        entry = _ENTRIES.get(parameter.key, st.nothing()) | _changed(parameter.default)
        return _mostly(_listed(entry, parameter.max_entries, (";",)), junk())
    if isinstance(parameter, OwnTable):
        return _mostly(_listed(_cell(), 6, (";",)), junk())
    if isinstance(parameter, ReportItems):
        return _mostly(_listed(_item(), 3, (SEPARATOR,)), junk())
    if isinstance(parameter, AttackCounts):
        return _mostly(_listed(_point(), 4, ("~",)), junk())
    if isinstance(parameter, FreeText):
        return names()
    return st.one_of(st.just(parameter.default), _changed(parameter.default), names(), junk())


def _mostly(good: SearchStrategy[str], bad: SearchStrategy[str]) -> SearchStrategy[str]:
    return st.one_of(*[good] * 9, bad)


@cache
def _quantity(quantity: Quantity) -> SearchStrategy[str]:
    return numbers(quantity.limits, quantity.whole, (quantity.default, *quantity.scale))


def _listed(entry: SearchStrategy[str], most: int, marks: tuple[str, ...]) -> SearchStrategy[str]:
    """Generate up to one item more than allowed, mostly few, sometimes very many."""
    few = st.lists(entry, min_size=1, max_size=min(3, most))
    many = st.lists(entry, max_size=most + 1)
    endless = entry.map(lambda piece: [piece] * min(3000, 1 + ENDLESS // (len(piece) + 1)))
    return st.builds(str.join, st.sampled_from(marks), st.one_of(few, few, few, few, few, many, endless))


def _changed(default: str) -> SearchStrategy[str]:
    """Generate an entry of a default with other numbers, and another name if it has one."""

    @st.composite
    def draw_changed(draw: DrawFn) -> str:
        entry = draw(st.sampled_from(default.split(";")))
        entry = re.sub(r"(?<![a-z])[0-9.]+", lambda _: draw(numbers("[0, 1e6]")), entry)
        return re.sub("=.*", lambda _: "=" + quote(draw(names()), safe=""), entry)

    return draw_changed()


def _entry(kinds: dict[str, tuple[Quantity, ...]], count: Quantity, colours: tuple[str, ...]) -> SearchStrategy[str]:
    """Generate an entry `kind:number,number*count@colour=name`, or a similar one."""

    @st.composite
    def draw_entry(draw: DrawFn) -> str:
        kind = draw(st.sampled_from([*kinds, "none"]))
        listed = [draw(_quantity(quantity)) for quantity in kinds.get(kind, (count,))]
        listed = [draw(_POINTS)] if kind in curve_kinds.POINT_KINDS else listed
        often = "*" + draw(_quantity(count)) if draw(st.integers(0, 4)) == 0 else ""
        colour = "@" + draw(st.sampled_from((*colours, "", "puce", "<b class=evil>"))) if colours else ""
        mark = draw(st.sampled_from(("", "!")))
        return f"{mark}{kind}:{','.join(listed)}{often}{colour}={quote(draw(names()), safe='')}"

    return draw_entry()


@st.composite
def _query(draw: DrawFn) -> str:
    """Generate a row of a plan, with flags and a lock that may be invalid."""
    kind = draw(st.sampled_from([*query_kinds.KINDS, "none"]))
    quantities = query_kinds.KINDS[kind].quantities if kind in query_kinds.KINDS else ()
    listed = [draw(_quantity(quantity)) for quantity in (HALF_WIDTH, *quantities)]
    size = f"size:{draw(_quantity(SIZE))}"
    flags = draw(st.lists(st.sampled_from(["all", "hidden", "A", "B", size, "puce"]), max_size=2))
    lock = draw(st.sampled_from(["", "", *LOCKS, "none"]))
    fixed = lock_quantity(lock)
    number = f",{draw(_quantity(fixed))}" if fixed else ""
    star, at = f"*{','.join(flags)}" if flags else "", f"@{lock}{number}" if lock else ""
    return f"{kind}:{','.join(listed)}{star}{at}={quote(draw(names()), safe='')}"


def _cell() -> SearchStrategy[str]:
    count = st.one_of(st.integers(0, 50), st.integers(0, 10**16)).map(str)
    link_text = st.builds(lambda name, count: f"{quote(name, safe='')}={count}", names(), count)
    return st.one_of(link_text, link_text, link_text, count, names())


def _exhibits(page: PageEntry) -> list[str]:
    """Return the names of a page's charts and tables that its functions contain."""
    draw_functions = load_page(page).all_exhibits()
    names = (name for draw in draw_functions for name in re.findall(r'Exhibit\(\s*"(\w+)"', inspect.getsource(draw)))
    return sorted({*names, *(draw.__name__ for draw in draw_functions)})


@st.composite
def _item(draw: DrawFn) -> str:
    """Generate an item of a report: an exhibit or the answer of a page at a link, with a note."""
    page = draw(st.sampled_from([entry for entry in site_map.PAGES if entry != site_map.REPORT]))
    name = draw(st.sampled_from([ANSWER, *_exhibits(page), "none"]))
    query = urlencode({key: entries[-1] for key, entries in draw(links(page)).items()}, quote_via=quote)
    return f"{quote(page.path)}/{name}?{query}#{quote(draw(names()), safe='')}"


def _point() -> SearchStrategy[str]:
    """Generate the counts at a point of an attack."""
    good = st.integers(1, 1000).flatmap(lambda n: st.tuples(st.integers(0, n), st.integers(0, n), st.just(n)))
    of_all = good.map(lambda words: f"{words[0]}_{words[2]}_{words[1]}_{words[2]}")
    return st.one_of(of_all, of_all, of_all, st.lists(_TRIALS, min_size=4, max_size=4).map("_".join))


_POINTS = st.lists(st.tuples(_RATE, _RATE).map("_".join), min_size=1, max_size=5).map("~".join)
_ENTRIES = {
    "curves": _entry(
        {kind: curve_kinds.quantities(kind) for kind in curve_kinds.LABELS}, curve_kinds.RELEASES, curve_list.COLOURS
    ),
    "releases": _entry({key: kind.quantities for key, kind in releases.KINDS.items()}, releases.COUNT, ()),
    "queries": _query(),
}


def _pinned_queries(pin: Pin) -> SearchStrategy[str]:
    """Generate a pinned setting as it stands in a link."""
    texts_of_pin = _some(
        {parameter.key: texts(parameter) for parameter in pin.pinned_parameters if not isinstance(parameter, Pin)}, 4
    )
    link_text = texts_of_pin.map(lambda entries: urlencode(entries, quote_via=quote))
    return st.one_of(st.just(pin.default), st.just(pin.default), link_text, junk())


@st.composite
def _some(draw: DrawFn, strategies: dict[str, SearchStrategy[str]], most: int) -> dict[str, str]:
    """Generate texts for some parameters."""
    chosen = draw(st.lists(st.sampled_from([*strategies]), min_size=1, max_size=most, unique=True))
    return {key: draw(strategies[key]) for key in chosen}


@st.composite
def _link(draw: DrawFn, strategies: dict[str, SearchStrategy[str]]) -> Link:
    link = {key: [entry] for key, entry in draw(_some(strategies, MOST_GIVEN)).items()}
    for key in ("section", "items"):  # which decide what the page does at all
        if key in strategies and draw(st.booleans()):
            link[key] = [draw(strategies[key])]
    if link and draw(st.integers(0, 9)) == 0:
        link[draw(st.sampled_from([*link]))].append(draw(junk()))
    if draw(st.integers(0, 9)) == 0:
        link[draw(names())] = [draw(names())]
    return link


@cache
def links(page: PageEntry) -> SearchStrategy[Link]:
    """Generate links of a page: any section, up to eight parameters, sometimes a repeated or unknown one."""
    return _link({parameter.key: texts(parameter) for parameter in load_page(page).all_parameters})
