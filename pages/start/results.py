"""The start page at one setting."""

from dataclasses import dataclass
from functools import cached_property

from pages.framework.parameters.parameter import Values
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.site_map import GAUSSIAN_BOUNDS


@dataclass(frozen=True)
class StartResult:
    """The shared parameters, and the page of the Gaussian bounds at these, from which the answer is."""

    section: str
    setting: SharedSetting

    @cached_property
    def bounds(self) -> Link:
        """The page of the Gaussian bounds at this setting."""
        return Link(GAUSSIAN_BOUNDS, GAUSSIAN_BOUNDS.name, shared_entries(self.setting))

    @property
    def analytic_sigma(self) -> float:
        """The σ of the answer."""
        return self.bounds.result.rows["analytic"].mechanism.scale


def compute_result(values: Values) -> StartResult:
    """Return the start page at the values of the parameters."""
    return StartResult(values["section"], read_setting(SharedSetting, values))
