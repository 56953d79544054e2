"""The start page at one setting."""

from dataclasses import dataclass
from functools import cached_property

from pages.framework.parameters.parameter import Values
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.site_map import ACCURACY
from pages.start.glossary.parameters import TERM


@dataclass(frozen=True)
class StartResult:
    """The shared parameters, the page of one number at these, from which the answer is, and the open entry."""

    section: str
    setting: SharedSetting
    term: str

    @cached_property
    def one_number(self) -> Link:
        """The page of one number at this setting: a count of people, or a query of another sensitivity."""
        return Link(ACCURACY, ACCURACY.name, one_number_entries(self.setting))


def one_number_entries(setting: SharedSetting) -> dict[str, str]:
    """Return the entries of one number at a setting: a count of people, or a query of another sensitivity."""
    entries = shared_entries(setting)
    if setting.l2_sensitivity == 1:
        return entries | {"query": "count"}
    return entries | {"query": "own", "l1_sensitivity": entries["l2_sensitivity"], "unit": "units"}


def compute_result(values: Values) -> StartResult:
    """Return the start page at the values of the parameters."""
    return StartResult(values["section"], read_setting(SharedSetting, values), values[TERM.key])
