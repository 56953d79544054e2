"""The parameter that holds the pinned setting of a page, with which the current setting is compared."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, quote, urlencode

from pages.framework.parameters import number_parser
from pages.framework.parameters.parameter import Correct, Parameter, Values, holds_data, no_corrections
from pages.framework.site import site


@dataclass(frozen=True)
class Pin:
    """The pinned setting of a page: "none", or the texts of its parameters in the form of a link.

    Older links have only the numbers of the shared parameters, separated by commas. A parameter that the pinned setting
    leaves out has its default. `retired_keys` are those that the page once had: older links may have them, and they are
    ignored.
    """

    own: tuple[Parameter, ...] = ()
    correct: Correct = no_corrections
    retired_keys: tuple[str, ...] = ()
    key: str = "pinned"
    symbol: str = "pinned setting"
    default: str = "none"

    @property
    def pinned_parameters(self) -> tuple[Parameter, ...]:
        """Return the parameters that a pinned setting contains."""
        return (*site().parameters, *self.own)

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none, or " + ",".join(parameter.key for parameter in self.pinned_parameters) + " with each in its range"

    def read(self, entry: str) -> Values | None:
        """Return the values of the pinned setting, None without one; raise ValueError if they cannot be used."""
        if entry == "none":
            return None
        texts = dict(parse_qsl(entry, keep_blank_values=True)) if "=" in entry else self._texts_of_older_link(entry)
        if not texts.keys() <= {*self.retired_keys, *(parameter.key for parameter in self.pinned_parameters)}:
            raise ValueError(entry)
        values = {
            parameter.key: parameter.read(texts.get(parameter.key, parameter.default))
            for parameter in self.pinned_parameters
        } | {self.key: None}
        if site().correct(values) or any(correction.problem for correction in self.correct(values)):
            raise ValueError(entry)
        return values

    def known_text(self, entry: str) -> str:
        """Return the text of a pinned setting without the parameters that this page does not have."""
        if "=" not in entry:
            return entry
        keys = {parameter.key for parameter in self.pinned_parameters}
        pairs = [(key, text) for key, text in parse_qsl(entry, keep_blank_values=True) if key in keys]
        return urlencode(pairs, quote_via=quote)

    def data_in(self, entry: str) -> str:
        """Return the name of the user's own data that the pinned setting contains; an empty text for none."""
        texts = dict(parse_qsl(entry, keep_blank_values=True))
        holding = [
            parameter for parameter in self.pinned_parameters if parameter.key in texts and holds_data(parameter)
        ]
        return next((sentence for parameter in holding if (sentence := parameter.data_in(texts[parameter.key]))), "")

    def _texts_of_older_link(self, entry: str) -> dict[str, str]:
        parts = number_parser.split_list(entry)
        if len(parts) != len(site().parameters):
            raise ValueError(entry)
        return {quantity.key: part for quantity, part in zip(site().parameters, parts, strict=True)}

    def text(self, used: Mapping[str, str]) -> str:
        """Return the text that pins a setting, given the texts of its parameters."""
        return urlencode({parameter.key: used[parameter.key] for parameter in self.pinned_parameters}, quote_via=quote)
