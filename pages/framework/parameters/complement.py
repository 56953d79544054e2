"""The kind of parameter that users enter as its complement: a significance level, entered as a confidence."""

import re
from dataclasses import dataclass
from decimal import Decimal

from pages.framework.parameters.kinds import PartError, Quantity, refused_text

_COMPLEMENT = re.compile(r"1-\((.*)\)")
_DECIMALS = re.compile(r"0?[.,]([0-9]{1,15})")


@dataclass(frozen=True)
class Complement(Quantity):
    """A probability q whose field shows 1 − q, under the caption of the complement; the link contains q.

    `field_name` is the name of q beside the field. The browser turns what is typed into the text of q: 0.95 and 95 %
    into 0.05, and any other text t into 1-(t). `browser/complement.js` is its other half.
    """

    field_name: str = ""

    @staticmethod
    def complement_text(entry: str) -> str:
        """Return the text that the field shows for a text of q.

        >>> [Complement.complement_text(entry) for entry in ("0.05", "1-(95 %)", "1/20")]
        ['0.95', '95 %', '1 − (1/20)']
        """
        if typed := _COMPLEMENT.fullmatch(entry):
            return typed[1]
        decimals = _DECIMALS.fullmatch(entry)
        return str(1 - Decimal(f"0.{decimals[1]}")) if decimals else f"1 − ({entry})"

    def read(self, entry: str) -> float:
        """Return the number of a text.

        Raises
        ------
        PartError
            if the text is the complement of what a user typed: with a sentence on that.
        ValueError
            if the text is no number, or out of range.
        """
        typed = _COMPLEMENT.fullmatch(entry)
        if typed is None:
            return super().read(entry)
        try:
            return super().read(entry)
        except ValueError as error:
            allowed = f"the {self.caption} must be a share between 0 and 1, such as 0.95"
            raise PartError(f"{allowed}; {refused_text(typed[1], error)}.") from None
