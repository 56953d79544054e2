"""The setting of the page, the values that it is about, and the results of its sections."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan

import numpy as np

from dpcore.checks import Array
from dpcore.clipping import Distribution
from dpcore.readers import PersonValues
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES
from pages.framework.parameters.parameter import Values
from pages.framework.session.data_files import OWN
from pages.median.largest.results import LargestResult
from pages.median.parameters import MOST_PEOPLE
from pages.median.quantile.results import QuantileRelease, QuantileResult
from pages.median.several.results import SeveralResult
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.shared_parameters import SharedSetting, read_setting
from pages.shared.values.amounts import amount, entered_amount, quantile_name
from pages.shared.values.own_values import ValuesUpload, linked_values
from pages.shared.values.parameters import distribution


@dataclass(frozen=True)
class MedianSetting(SharedSetting):
    """The parameters of the page; the user's own values are not among them."""

    source: str
    shape: str
    median: float
    p90: float
    n_records: float
    quantile: float
    low: float
    high: float
    step: float
    accuracy: float
    neighbours: str
    unit: str
    quantiles: tuple[float, ...]
    counts: tuple[float, ...]
    chosen: float
    wanted: float
    chooser: str

    @property
    def is_own(self) -> bool:
        """Whether the user's own values are chosen."""
        return self.source == OWN

    @property
    def quantile_release(self) -> QuantileRelease:
        """What is released: from which values, with which guarantee."""
        step = None if isnan(self.step) else self.step
        return QuantileRelease(self.epsilon, self.quantile, self.low, self.high, step, self.neighbours)

    @property
    def people(self) -> Distribution:
        """The distribution of the public figures."""
        return distribution(self.shape, self.median, self.p90, self.n_records)

    def range_problem(self, quantile: float, truth: float) -> str:
        """Return the sentence on a quantile outside the range; empty for one within it."""
        if self.low <= truth <= self.high:
            return ""
        ends = f"{entered_amount(self.low)} to {entered_amount(self.high)}"
        name = f"The {quantile_name(quantile)}, {amount(truth)},"
        return f"{name} is outside the range of what can be released, {ends}; widen the range."

    @property
    def selection(self) -> LargestResult:
        """Which of several counts is published as the largest, and how probably it is right."""
        monotone = self.neighbours == "add_remove"
        return LargestResult(self.epsilon, self.counts, int(self.chosen), self.wanted, self.chooser, monotone)


@dataclass(frozen=True)
class MedianResult:
    """The page at one setting, each part computed once; `problem` is the sentence on why there are no values.

    `section` is the key of the open section, `conditions` are the values of the parameters of the conditions, and
    `pinned` is the page at the pinned setting.
    """

    setting: MedianSetting
    values: PersonValues | None
    problem: str = ""
    section: str = "quantile"
    conditions: Values = field(default_factory=dict)
    pinned: "MedianResult | None" = None

    @property
    def has_no_values(self) -> bool:
        """Whether the user's own values are chosen and there are none."""
        return self.setting.is_own and self.values is None

    @property
    def values_problem(self) -> str:
        """The sentence on values that are missing, or too many; empty where they can be used."""
        if self.has_no_values:
            return self.problem or "Your own values are missing: the link does not contain them."
        if self.values is not None and self.values.values.size > MOST_PEOPLE:
            return f"This page takes at most {MOST_PEOPLE:,} values."
        return ""

    @cached_property
    def problem_text(self) -> str:
        """The sentence on why one quantile has no answer; empty where it has one."""
        return self.values_problem or self.setting.range_problem(self.setting.quantile, self.quantile.truth)

    @property
    def is_missing(self) -> bool:
        """Whether the open section has no answer."""
        return self.section != "largest" and bool(
            self.values_problem or (self.section == "quantile" and self.problem_text)
        )

    @cached_property
    def ordered(self) -> Array:
        """The values, sorted: the user's own, or a typical sample of the public figures."""
        setting = self.setting
        if self.values is not None:
            return np.sort(self.values.values)
        people = setting.people
        return np.asarray(people.quantile((np.arange(people.n) + 0.5) / people.n))

    @cached_property
    def quantile(self) -> QuantileResult:
        """The release of one quantile; public figures are values that are recorded in its steps."""
        setting = self.setting
        is_known = self.values is not None
        ordered = self.ordered if is_known else setting.quantile_release.recorded(self.ordered)
        people = None if setting.is_own else setting.people
        return QuantileResult(setting.quantile_release, setting.significance, ordered, people)

    @cached_property
    def several(self) -> SeveralResult:
        """The release of several quantiles, as any numbers of the range."""
        setting = self.setting
        levels = tuple(sorted(setting.quantiles))
        release = replace(setting.quantile_release, step=None)
        return SeveralResult(release, setting.significance, self.ordered, levels)

    @cached_property
    def largest(self) -> LargestResult:
        """The largest of several counts."""
        return self.setting.selection

    @property
    def compared(self) -> "MedianResult | None":
        """The page at the pinned setting, where the open section has an answer there; None without one."""
        return None if self.pinned is None or self.pinned.is_missing else self.pinned

    @property
    def confidential(self) -> str:
        """The sentence on exhibits that show what is computed from the user's own values; empty without such values."""
        return CONFIDENTIAL_FIGURES if self.setting.is_own else ""


def compute_result(values: Values, upload: ValuesUpload | None = None) -> MedianResult:
    """Return the page at the values of the parameters; `upload` has the values of the session."""
    setting = read_setting(MedianSetting, values)
    linked = setting.is_own and values["own"] is not None
    own = linked_values(np.array(values["own"])) if linked else upload and upload.values
    problem = upload.problem if upload and setting.is_own and not linked else ""
    conditions = {parameter.key: values[parameter.key] for parameter in CONDITION_PARAMETERS}
    section = values.get("section", "quantile")
    pinned = values["pinned"] and compute_result(values | values["pinned"] | {"pinned": None}, upload)
    return MedianResult(setting, own if setting.is_own else None, problem, section, conditions, pinned)
