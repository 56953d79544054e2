"""What only this page asks: its section, the list of releases and how often it runs, accountants, a kept setting."""

from dpcore.composition import COUNT_RANGE
from pages.composition.kinds import COUNT
from pages.composition.releases import RELEASES
from pages.shared.common import Pin
from pages.shared.parameters import Choice, Correction, Parameter, Quantity, Values, steps
from pages.shared.text import nearest

MOST_RELEASES = 10**6  # of a line, over all runs

SECTION = Choice(
    "section",
    "section",
    {"together": "My releases", "accountants": "Accountants", "profile": "δ over ε", "published": "Published"},
    "together",
)
_FEW_RUNS = ("1", "2", "3", "4", "5", "7", "10", "12", "14", "20", "30", "52", "70", "100", "200", "365", "500")
RUNS = Quantity(
    "runs",
    "runs",
    "How often the whole list is released",
    COUNT_RANGE,
    "1",
    help="1 for once; 7 for a list that is released every day of a week, with fresh noise.",
    whole=True,
    ends="← fewer · runs · more →",
    scale=(*_FEW_RUNS, *steps(3, 6, ("1", "2", "5"))),
)
ACCOUNTANT = Choice(
    "accountant",
    "accountant",
    {"exact": "Exact", "rdp": "RDP", "zcdp": "zCDP", "basic": "Adding up"},
    "exact",
)
TOTALS = Choice("totals", "what is drawn", {"ratio": "÷ the exact ε", "total": "Total ε"}, "ratio")
AT_DELTA = Choice("at_delta", "δ", {"own": "Each at its own δ", "page": "All at the page’s δ"}, "own")
KEPT: tuple[Parameter, ...] = (RELEASES, RUNS, ACCOUNTANT)


def correct(values: Values) -> list[Correction]:
    """So many runs that a line would be released more often than can be computed: as many as can be are used."""
    most = max(int(COUNT.read(item.count)) for item in values[RELEASES.key])
    runs = MOST_RELEASES // most
    if values[RUNS.key] <= runs:
        return []
    said = (
        f"{RUNS.symbol} ({RUNS.key}) must be at most {runs:,} for a line of {most:,} releases; "
        f"{nearest(values[RUNS.key], 7)} were given. {runs:,} are used instead."
    )
    return [Correction(RUNS.key, str(runs), said)]


OWN: tuple[Parameter, ...] = (SECTION, *KEPT, TOTALS, AT_DELTA, Pin(KEPT, correct))
