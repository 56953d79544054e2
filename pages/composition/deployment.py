"""A published promise: what was printed, of what it is made, and whose record over which time it protects."""

from dataclasses import dataclass

from dpcore.composition import Release

PER_YEAR = {"a day": 365, "6 hours": 1460, "a month": 12}


@dataclass(frozen=True)
class Deployment:
    """A published promise: ε `claimed` at `delta` for what was released, `unit` a `period`, and where it stands.

    `adjacency` is how neighbouring data sets differ; `note` is what a reader must know, empty if there is nothing.
    `mechanism` is what made the noise, and `accounting` how the printed ε came of it; empty where that is not recorded.
    The releases are all promises, or one ρ, or the steps of one training.
    """

    name: str
    claimed: float
    delta: float
    releases: tuple[Release, ...]
    unit: str
    period: str
    adjacency: str
    source: str
    url: str
    note: str = ""
    mechanism: str = ""
    accounting: str = ""

    @property
    def kind(self) -> str:
        """What is known of it: "promise" (ε and δ alone), "zcdp" (ρ) or "sampled" (noise, rate and steps)."""
        return self.releases[0].kind

    @property
    def per_year(self) -> int:
        """How often its period comes in a year; 0 for what is released once."""
        return PER_YEAR.get(self.period, 0)
