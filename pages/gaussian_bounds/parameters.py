"""What only this page asks: its section and view, and a kept setting."""

from dataclasses import dataclass

from pages.framework.parameters.kinds import Choice, PartlyUsableError
from pages.framework.parameters.pin import Pin


@dataclass(frozen=True)
class Section(Choice):
    """The section that is open; older links may ask for one that has become the page of tables."""

    def read(self, entry: str) -> str:
        """Return the option that a text names; ValueError if there is none."""
        if entry == "counts":
            moved = "Tables of counts have a page of their own now, “Tables”; this page opens at “Which bound” instead."
            raise PartlyUsableError(self.default, [moved])
        return super().read(entry)


SECTION = Section(
    "section",
    "section",
    {
        "bounds": "Which bound",
        "profile": "What each σ gives",
        "pdp": "pDP against classical",
    },
    "bounds",
)
VIEW = Choice(
    "view", "view", {"ratio": "Ratio to what is needed", "epsilon": "σ against ε", "delta": "σ against δ"}, "ratio"
)
PINNED = Pin(retired=("bound",))  # the bound that set the noise on a table of counts
PARAMETERS = (SECTION, VIEW, PINNED)
