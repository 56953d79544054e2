"""The start page at one setting: a count of people, what anybody can learn of one, and the entry of the glossary."""

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pandas as pd

from dpcore.checks import Array
from pages.framework.classroom.sequence import OwnSequence
from pages.framework.link import SEQUENCE
from pages.framework.parameters.number_format import exact_text
from pages.framework.parameters.parameter import Parameter, PartlyUsableError, Values, excerpt
from pages.shared.page_links import Link, shared_entries
from pages.shared.shared_parameters import L2_SENSITIVITY, SIGNIFICANCE, SharedSetting, read_setting
from pages.shared.site_map import ACCURACY, MEANING
from pages.start.glossary import guarantee_data, noise_data, publication_data
from pages.start.glossary.text import Entry

_GREEK = {"α": "alpha", "δ": "delta", "ε": "epsilon", "μ": "mu", "ρ": "rho", "σ": "sigma"}


def index_name(entry: Entry) -> str:
    """Return the name by which an entry is sorted: without signs, and with Greek letters as words."""
    words = "".join(_GREEK.get(letter, letter) for letter in entry.name.lower())
    return words.lstrip("(")


MODULES = (guarantee_data, noise_data, publication_data)
_UNSORTED = {key: entry for module in MODULES for key, entry in module.ENTRIES.items()}
ENTRIES = {key: _UNSORTED[key] for key in sorted(_UNSORTED, key=lambda key: index_name(_UNSORTED[key]))}
"""The entries by their keys, which name them in links, in the order of their names."""


@dataclass(frozen=True)
class Term(Parameter):
    """The parameter that holds the key of the open entry of the glossary, "none" if none is open."""

    key: str = "term"
    symbol: str = "entry of the glossary"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none or the key of an entry, such as median"

    def read(self, entry: str) -> str:
        """Return the key of an entry or "none".

        Raises
        ------
        PartlyUsableError
            if there is no such entry: with a sentence on that.
        """
        if entry != self.default and entry not in ENTRIES:
            sentence = f"The glossary has no entry with the key {excerpt(entry) or 'of an empty text'}."
            raise PartlyUsableError(self.default, [f"{sentence} No entry is open; the search finds all of them."])
        return entry


TERM = Term()


TRUE_COUNT, N_RELEASES = 100, 30
_DRAWS = np.random.default_rng(1).random((2, N_RELEASES))


@dataclass(frozen=True)
class StartResult:
    """The shared parameters, what the page shows at their ε for a count, the open entry of the glossary, a sequence."""

    section: str
    setting: SharedSetting
    term: str
    sequence: OwnSequence

    @cached_property
    def of_a_count(self) -> SharedSetting:
        """The setting of the lead picture, which ε alone changes: one person changes a count by 1."""
        size, significance = (parameter.read(parameter.default) for parameter in (L2_SENSITIVITY, SIGNIFICANCE))
        return replace(self.setting, l2_sensitivity=size, significance=significance)

    @cached_property
    def one_number(self) -> Link:
        """The page of one number: a count of people."""
        return Link(ACCURACY, ACCURACY.name, shared_entries(self.of_a_count) | {"query": "count"})

    @cached_property
    def meaning(self) -> Link:
        """The page of what ε means for one person."""
        return Link(MEANING, MEANING.name, shared_entries(self.of_a_count))

    @cached_property
    def releases(self) -> Array:
        """Thirty releases of a count of 100 people with geometric noise, NaN where ε = 0 allows none.

        With q = e^−ε the difference of two numbers ⌊ln U ÷ ln q⌋ has Pr(k) ∝ q^|k| (Ghosh, Roughgarden & Sundararajan
        2012); the uniform U are the same at every ε, so that the releases move as ε does.
        """
        if self.setting.epsilon == 0:
            return np.full(N_RELEASES, np.nan)
        first, second = np.floor(np.log(_DRAWS) / -self.setting.epsilon)
        return TRUE_COUNT + first - second

    @property
    def frame(self) -> pd.DataFrame:
        """The releases as a data frame."""
        return pd.DataFrame({"release": np.arange(1, N_RELEASES + 1), "count": self.releases})

    @property
    def csv_header(self) -> dict[str, str]:
        """What the releases are, for the top of a CSV."""
        units = "releases of a count of 100 people with geometric noise; epsilon in nats"
        return {"epsilon": exact_text(self.setting.epsilon), "units": units}


def one_number_entries(setting: SharedSetting) -> dict[str, str]:
    """Return the entries of one number at a setting: a count of people, or a query of another sensitivity."""
    entries = shared_entries(setting)
    if setting.l2_sensitivity == 1:
        return entries | {"query": "count"}
    return entries | {"query": "own", "l1_sensitivity": entries["l2_sensitivity"], "unit": "units"}


def compute_result(values: Values) -> StartResult:
    """Return the start page at the values of the parameters."""
    return StartResult(values["section"], read_setting(SharedSetting, values), values[TERM.key], values[SEQUENCE.key])
