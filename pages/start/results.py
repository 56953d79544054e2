"""The start page at one setting."""

from dataclasses import dataclass
from functools import cached_property

from pages.framework.parameters.parameter import Values
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.site_map import ACCURACY


@dataclass(frozen=True)
class StartResult:
    """The shared parameters, and the page of one number at these, from which the answer is."""

    section: str
    setting: SharedSetting

    @cached_property
    def one_number(self) -> Link:
        """The page of one number at this setting: a count of people, or a query of another sensitivity."""
        size = shared_entries(self.setting)["l2_sensitivity"]
        query = {"query": "count"} if self.setting.l2_sensitivity == 1 else {"query": "own", "l1_sensitivity": size}
        return Link(ACCURACY, ACCURACY.name, shared_entries(self.setting) | query)


def compute_result(values: Values) -> StartResult:
    """Return the start page at the values of the parameters."""
    return StartResult(values["section"], read_setting(SharedSetting, values))
