"""The setting of the page, the result that follows from it, and the conditions of its answers."""

from dataclasses import dataclass, field, replace
from functools import cached_property
from math import isnan

import numpy as np
import pandas as pd

from dpcore.checks import Array
from dpcore.families import FAMILIES, Family
from dpcore.linear_queries import Errors
from dpcore.readers import ReadSums
from pages.framework.layout.section import Conditions
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.framework.parameters.parameter import Values
from pages.framework.session.data_files import OWN
from pages.series.methods import CLOSE, Series, rough_epsilon
from pages.series.over_time.results import OverTime, invented_counts
from pages.series.own_sums.results import OwnSums, own_sums
from pages.series.parameters import (
    IN_PERIODS,
    MOST_WITH_NOISE,
    OF_SERIES,
    OWN_SERIES,
    OWN_SUMS,
    SERIES_FIELD,
    SERIES_SOURCE,
)
from pages.series.ranges.results import AllRanges
from pages.series.upload import SeriesUpload, SumsUpload, months_of_a_year, numbered, numbers_of_series
from pages.shared.conditions import CONDITION_PARAMETERS, ONCE, Subject, release_conditions
from pages.shared.counts.table import N_PERIODS, PER_CELL, PER_PERSON, PER_TOTAL
from pages.shared.formulas import share
from pages.shared.shared_parameters import SharedSetting, read_setting

_WIDEST_WHOLE = 1e14  # whose draws are whole numbers in a double


@dataclass(frozen=True)
class SeriesSetting(SharedSetting):
    """The parameters of the page, under their keys."""

    length: float
    in_periods: float
    totals: str
    window: float
    publication: str
    strategy: str
    period: str
    n_cells: float
    known: str
    error: str
    accuracy: float
    per_cell: float
    per_total: float
    neighbours: str
    arrived: float
    seed: float
    contribution: str
    sums: str
    sum_noise: str
    series_noise: str

    @property
    def noise(self) -> Family:
        """The noise of a series and of ranges."""
        return FAMILIES[self.series_noise]

    @property
    def noise_words(self) -> str:
        """The noise within a sentence."""
        return f"{self.noise.words} noise"

    @property
    def noise_delta(self) -> float | None:
        """δ, or None where the noise satisfies ε-DP."""
        return None if self.noise.pure else self.delta

    @property
    def terms_text(self) -> str:
        """ε in words, and δ of a noise that has one."""
        return f"ε = {format_input_up(self.epsilon)}, no δ" if self.noise.pure else self.guarantee_text

    @property
    def wanted(self) -> float | None:
        """The ± that is accepted, None where ε is known."""
        return self.accuracy if self.known == "accuracy" else None

    @property
    def known_terms(self) -> tuple[float, float, float]:
        """ε, δ and the significance."""
        return self.epsilon, self.delta, self.significance

    @property
    def is_joint(self) -> bool:
        """Whether the ± holds for all numbers at once."""
        return self.error == "all"

    @property
    def share_text(self) -> str:
        """In which share of releases the ± holds, and for what: for all at once in at least that."""
        stated = f"{share(self.significance)} of releases"
        return f"at least {stated}, all at once" if self.is_joint else stated

    def size_text(self, words: str = "±") -> str:
        """Return what an axis of errors shows."""
        return f"{'± of all, in ≥' if self.is_joint else f'{words} in'} {share(self.significance)} of releases"

    @property
    def n_periods(self) -> int:
        """T."""
        return int(self.length)

    @property
    def counts_once(self) -> bool:
        """Whether each person counts once, as the user confirmed: then the other limits have no effect."""
        return self.contribution == "once"

    @property
    def n_arrived(self) -> int:
        """How many periods of the trial have ended: all of them where the series is published at its end."""
        is_all = isnan(self.arrived) or self.publication == "once"
        return self.n_periods if is_all else min(int(self.arrived), self.n_periods)

    @property
    def series(self) -> Series:
        """What the errors of the numbers of the series depend on."""
        window = int(self.window) if self.totals in ("window", "year_to_date") else None
        numbers = self.published_at_once(self.totals, self.n_periods, self.series_noise)
        return numbers._replace(window=window, publication=self.publication)

    @property
    def cells(self) -> Series:
        """What the errors of all ranges of ordered cells depend on."""
        return self.published_at_once("ranges", int(self.n_cells), self.series_noise)

    def published_at_once(self, workload: str, n: int, noise: str) -> Series:
        """Return numbers of so many periods or cells that are published at once, and what one person adds to them."""
        person = min(int(self.in_periods), n), self.per_cell, None if isnan(self.per_total) else self.per_total
        if self.counts_once:
            person = 1, 1.0, None
        return Series(workload, n, None, "once", *person, self.neighbours, noise)

    @property
    def are_sums_own(self) -> bool:
        """Whether the user's own sums are chosen."""
        return self.sums == OWN

    @property
    def period_words(self) -> str:
        """The periods in the plural."""
        return f"{self.period}s"

    def periods(self, number: float) -> str:
        """Return a number of periods in words."""
        return f"{number:,.0f} {self.period if number == 1 else self.period_words}"


@dataclass(frozen=True)
class SeriesResult:
    """The page at one setting, each part computed once; `conditions` are the parameters of the conditions.

    `is_own` says that the trial is of the user's own series, which is `own_counts`; where it can't be read, `problem`
    is the sentence on why. `sums` are the published sums of the section on these, None where the user's own are missing
    or cannot be read, as `sums_problem` says.
    """

    setting: SeriesSetting
    section: str = "time"
    pinned: "SeriesResult | None" = None
    conditions: Values = field(default_factory=dict)
    is_own: bool = False
    own_counts: Array | None = None
    problem: str = ""
    sums: ReadSums | None = None
    sums_problem: str = ""

    @cached_property
    def counts(self) -> Array | None:
        """The numbers of the trial that have arrived: invented, or the user's own; None where they are not enough."""
        setting = self.setting
        if not self.is_own:
            return invented_counts(setting.n_periods, int(setting.seed))[: setting.n_arrived]
        if self.own_counts is None or (setting.publication == "once" and self.own_counts.size < setting.n_periods):
            return None
        if setting.noise.whole and not self.are_counts_whole:
            return None
        return self.own_counts[: setting.n_arrived]

    @property
    def are_counts_whole(self) -> bool:
        """Whether the user's own series has whole numbers alone."""
        return self.own_counts is not None and bool((self.own_counts == np.round(self.own_counts)).all())

    @cached_property
    def over_time(self) -> OverTime:
        """The errors of the numbers of the series."""
        setting = self.setting
        return OverTime(setting.series, *setting.known_terms, setting.is_joint, setting.strategy)

    @cached_property
    def better_noises(self) -> tuple[str, ...]:
        """The noises to which a button switches: one with a δ, or those without, where the page has their errors.

        Whole noise is among them where what a person adds is whole, and it is better than the noise of the setting.
        """
        setting, found, whole = self.setting, self.over_time, "geometric"
        if self.is_better_with_delta:
            return (found.with_delta.noise,)
        if not found.is_pure_better or found.method != "best" or setting.n_periods > MOST_WITH_NOISE["time"][1]:
            return ()
        is_usable = whole != found.pure_noise and setting.series.are_amounts_whole
        is_offered = is_usable and found.half_width_with(whole) < found.half_width
        return (found.pure_noise, whole) if is_offered else (found.pure_noise,)

    @cached_property
    def is_better_with_delta(self) -> bool:
        """Whether a noise with a δ has a smaller half-width than the one without that is chosen."""
        found = self.over_time
        if not self.setting.noise.pure or self.setting.wanted is not None:
            return False
        return found.with_delta.half_width * CLOSE < found.half_width

    @cached_property
    def ranges(self) -> AllRanges:
        """The errors of all ranges of ordered cells."""
        return AllRanges(self.setting.cells, *self.setting.known_terms, self.setting.is_joint)

    @cached_property
    def better_ranges(self) -> tuple[AllRanges, ...]:
        """The ranges with each noise that makes them more exact, to which a button switches; the most exact one first.

        It is a noise with a δ, or those without; whole noise is among them where what a person adds is whole.
        """
        setting, found = self.setting, self.ranges
        if found.series.n > MOST_WITH_NOISE["ranges"][1] or (setting.noise.pure and setting.wanted is not None):
            return ()
        whole = ("geometric",) if found.series.are_amounts_whole else ()
        noises = ("gaussian",) if setting.noise.pure else dict.fromkeys((found.pure_noise, *whole))
        others = [found.with_noise(noise) for noise in noises]
        better = [other for other in others if other.offered_half_width * CLOSE < found.half_width]
        return tuple(sorted(better, key=lambda other: other.offered_half_width))

    @property
    def shown(self) -> OverTime | AllRanges:
        """The errors of ranges in their section, else those of the numbers of the series."""
        return self.ranges if self.section == "ranges" else self.over_time

    @property
    def table_values(self) -> Values:
        """The conditions and limits of ranges, as those of a table."""
        setting = self.setting
        limits = {PER_PERSON.key: float(min(setting.in_periods, setting.n_cells)), PER_CELL.key: setting.per_cell}
        return self.conditions | limits | {PER_TOTAL.key: setting.per_total, N_PERIODS.key: 1.0}

    @property
    def ranges_header(self) -> dict[str, str]:
        """The parameters of ranges for the top of a CSV."""
        names = "epsilon", "delta", "significance", "error", "n_cells", "in_periods", "per_cell", "per_total"
        return self._parameters_of((*names, "neighbours", "series_noise"))

    def _parameters_of(self, names: tuple[str, ...]) -> dict[str, str]:
        entries = {name: f"{getattr(self.setting, name)}" for name in names}
        return entries | {"units": "errors in the unit of the counts"}

    @property
    def are_sums_missing(self) -> bool:
        """Whether the user's own sums are chosen and there are none."""
        return self.sums is None

    @cached_property
    def own_sums(self) -> OwnSums:
        """The errors of published sums of the user's own, or of the months of a year."""
        setting = self.setting
        sums = months_of_a_year() if self.sums is None else self.sums
        return own_sums(
            sums, setting.published_at_once("own", sums.matrix.shape[1], setting.sum_noise), *setting.known_terms
        )

    @property
    def sums_values(self) -> Values:
        """The conditions and limits of sums, as those of a table."""
        limits = {PER_PERSON.key: float(self.own_sums.series.contributions)}
        return self.table_values | limits

    @property
    def sums_header(self) -> dict[str, str]:
        """The parameters of sums for the top of a CSV."""
        names = "epsilon", "delta", "significance", "in_periods", "per_cell", "per_total", "neighbours"
        units = "errors and scales in the unit of the counts"
        return self._parameters_of(names) | {"noise": self.own_sums.noise, "units": units}

    @cached_property
    def trial(self) -> pd.DataFrame | None:
        """A trial with the numbers of the periods that have ended; None where none are or whole noise is too wide."""
        if self.counts is None or (self.setting.noise.whole and self.over_time.noise_scale > _WIDEST_WHOLE):
            return None
        return self.over_time.trial(self.counts, int(self.setting.seed))

    @property
    def csv_header(self) -> dict[str, str]:
        """The parameters for the top of a CSV."""
        names = ("epsilon", "delta", "significance", "error", "length", "in_periods", "totals", "window", "publication")
        return self._parameters_of((*names, "strategy", "per_cell", "per_total", "neighbours", "series_noise"))


def compute_result(
    values: Values, upload: SeriesUpload | None = None, sums_upload: SumsUpload | None = None
) -> SeriesResult:
    """Return the page at the values of the parameters; the uploads have the user's own series and sums."""
    pinned = values["pinned"] and compute_result(values | values["pinned"], None, sums_upload)
    conditions = {parameter.key: values[parameter.key] for parameter in CONDITION_PARAMETERS}
    is_own, linked = values[SERIES_SOURCE.key] == OWN, values[OWN_SERIES.key]
    counts = np.array(linked) if linked is not None else None if upload is None else upload.counts
    problem = "" if upload is None or linked is not None else upload.problem
    setting = read_setting(SeriesSetting, values)
    result = SeriesResult(
        setting,
        values.get("section", "time"),
        pinned,
        conditions,
        is_own,
        counts if is_own else None,
        problem if is_own else "",
        *_sums(values, setting, sums_upload),
    )
    return result if setting.wanted is None or result.section == "sums" else _solved(result, setting.wanted)


def _sums(values: Values, setting: SeriesSetting, upload: SumsUpload | None) -> tuple[ReadSums | None, str]:
    """Return the published sums, or None and the sentence on why there are none: empty where they are missing."""
    if setting.sums == OF_SERIES:
        series = setting.series
        numbers = numbers_of_series(series.workload, series.n, series.window)
        return numbers.sums, numbers.problem
    if setting.sums != OWN:
        return months_of_a_year(), ""
    if (rows := values[OWN_SUMS.key]) is not None:
        return numbered(rows), ""
    return (None, "") if upload is None else (upload.sums, upload.problem)


def _solved(result: SeriesResult, wanted: float) -> SeriesResult:
    """Return the page at the ε that is enough for the ± that is accepted.

    Which method is the best depends on ε: at the ε of one another may be better, and then needs less.
    """
    known, terms = set[Errors](), (wanted, *result.shown.terms[1:])
    result = replace(result, setting=replace(result.setting, epsilon=rough_epsilon(result.shown.candidates, *terms)))
    chosen = result.shown.likely_of(result.shown.candidates)
    while chosen not in known:
        known.add(chosen)
        epsilon = result.shown.enough_epsilon(chosen, wanted)
        result = replace(result, setting=replace(result.setting, epsilon=epsilon))
        chosen = result.shown.answer_errors
    return result


def limit_text(setting: SeriesSetting) -> str:
    """Return what one person may add to the whole series, as a condition."""
    series = setting.series
    most = format_input_down(series.per_cell)
    in_all = "" if series.total is None else f", at most {format_input_down(series.total)} in all"
    if series.contributions == 1 and series.per_cell == 1:
        return f"{ONCE} in the whole series"
    where = f"each person is in at most {setting.periods(series.contributions)} of the whole series"
    return f"{where}{', once in each' if series.per_cell == 1 else f' and adds at most {most} to each'}{in_all}"


def series_conditions(result: SeriesResult) -> Conditions:
    """Return the conditions of the answer."""
    setting = result.setting
    series = setting.series
    subject = Subject(
        limit=limit_text(setting),
        has_limit=series.contributions > 1 or series.per_cell != 1 or series.total is not None,
        unlimited="nobody limits in how many periods a person counts",
        limit_remedy="Before anything is counted, keep at most a fixed number of periods of each person, chosen at "
        "random. If {limit}:",
        fixed="the periods and the method were fixed in advance",
        from_data="the periods or the method were chosen from the data",
        question="Were the periods and the method fixed before anybody looked at the data?",
        risk="periods or a method that are chosen by looking at the data reveal something about people",
        remedy="Decide both before the first number is published. Then:",
        is_fixed_in_headline=False,
    )
    return release_conditions(
        result.conditions,
        subject,
        limits=(IN_PERIODS, PER_CELL, PER_TOTAL),
        data=(SERIES_FIELD,),
        is_own=result.own_counts is not None,
    )
