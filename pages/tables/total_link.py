"""The link to the total of a table and other releases: a list in All releases together that begins with its noise."""

from dataclasses import replace

from dpcore.calibrations import PROVED, PURE_DP
from dpcore.mechanism import Mechanism
from dpcore.rounding import round_down, round_up
from dpcore.sensitivity import Sensitivity
from pages.framework.parameters.kinds import first_problem
from pages.framework.parameters.number_format import exact_text
from pages.shared.page_links import Link, shared_entries
from pages.shared.releases import Item
from pages.shared.site_map import COMPOSITION
from pages.tables.results import TablesResult

_MOST_NUMBERS = 1e4  # of one person: the list takes a hundred runs of so many


def total_link(result: TablesResult) -> Link:
    """Return the link to a list of releases that has this one as its first line, or a sample where it is not proved."""
    mechanism, name = result.section_mechanism, "their total"
    if mechanism is None or mechanism.status != PROVED:
        return Link(COMPOSITION, name, {})
    entries = {"section": "together", "show": "together", "runs": "1", "accountant": "exact"}
    line = _line_of_noise(mechanism, result.sensitivity) or _line_of_guarantee(mechanism)
    table = "My table" if line.count == "1" else f"My table ({line.count} numbers a person)"  # so often in one release
    entries |= {"releases": replace(line, name=table, chosen=True).link_text()}
    return Link(COMPOSITION, name, shared_entries(result.setting) | entries)


def _line_of_noise(mechanism: Mechanism, sensitivity: Sensitivity) -> Item | None:
    """Return the noise as a line of a list of releases: of each number that a person moves, if by the same each time.

    None where the list has no such kind, or has it within other limits. A smaller move of a number is less of a loss.
    """
    family, largest, moved = mechanism.family, float(sensitivity.largest), float(sensitivity.n_moved)
    loss = exact_text(float(round_up(largest / mechanism.scale)))
    if family == "gaussian":
        item = Item(family, (exact_text(float(round_down(mechanism.scale / float(sensitivity.l2)))),))
    elif not sensitivity.equal or moved > _MOST_NUMBERS or float(sensitivity.l1) < moved * largest * (1 - 1e-12):
        return None
    elif family == "discrete_gaussian":
        item = Item("discrete", (exact_text(mechanism.scale), exact_text(largest)), exact_text(moved))
    elif family == "laplace":
        item = Item(family, (loss,), exact_text(moved))
    elif family == "geometric":
        item = Item(family, (loss, exact_text(largest)), exact_text(moved))
    else:
        return None
    return item if first_problem(item.fields) is None else None


def _line_of_guarantee(mechanism: Mechanism) -> Item:
    """Return the guarantee of a noise as a line of a list of releases: of any mechanism that satisfies it."""
    epsilon, delta = exact_text(mechanism.epsilon), exact_text(mechanism.delta)
    return Item("pure", (epsilon,)) if mechanism.guarantee == PURE_DP else Item("approx", (epsilon, delta))
