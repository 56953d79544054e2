"""The statements on a release, in three lengths, and their names in a report."""

from dataclasses import dataclass

LENGTHS = {"public": "For the public", "paper": "For a decision paper", "experts": "For experts"}
_ITEM = "statement_"  # and the key of a length: the name of a statement in a report


@dataclass(frozen=True)
class Statements:
    """What is said about a release, as plain texts whose paragraphs are separated by an empty line.

    `public` has no symbols, `paper` is for those who decide, with the guarantee and its conditions, and `experts` names
    the mechanism, its scale, the computation and its source. Each text holds by itself: it has all its conditions.
    """

    public: str
    paper: str
    experts: str

    @property
    def by_length(self) -> dict[str, str]:
        """Return the texts by the keys of LENGTHS."""
        return {"public": self.public, "paper": self.paper, "experts": self.experts}


def no_statements(_: object) -> None:
    """Return None, for a section whose answer is not stated in other words."""
    return


def item_name(length: str) -> str:
    """Return the name that the statement of a length has in a report."""
    return f"{_ITEM}{length}"


def is_statement(name: str) -> bool:
    """Return whether a report item of this name is a statement.

    >>> is_statement("statement_public"), is_statement("answer")
    (True, False)
    """
    return name in map(item_name, LENGTHS)
