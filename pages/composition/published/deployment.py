"""A published promise: what was printed, of what it is made, and whose record over which time it protects."""

from dataclasses import dataclass

from dpcore.composition import Release

PER_YEAR = {"a day": 365, "6 hours": 1460, "a month": 12}


@dataclass(frozen=True)
class Deployment:
    """A published promise: ε `claimed` at `delta` for what was released, `unit` a `period`, and where it stands.

    `adjacency` is how neighbouring data sets differ; `note` is what a reader must know, empty if there is nothing.
    `mechanism` is what made the noise, and `accounting` how the printed ε came of it; empty where that is not recorded.
    `sampling` says how the batches of a training were made. `memoised` says that a device repeats its noisy responses,
    so that the ε of its periods do not add up.
    The releases are all promises, or one ρ, or the steps of one training.
    """

    name: str
    printed_epsilon: float
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
    sampling: str = "Poisson"
    memoised: bool = False

    @property
    def kind(self) -> str:
        """What is known of it: "promise" (ε and δ alone), "zcdp" (ρ) or "sampled" (noise, rate and steps)."""
        return self.releases[0].kind

    @property
    def per_year(self) -> int:
        """How often its period comes in a year; 0 for what is released once or repeated from memory."""
        return 0 if self.memoised else PER_YEAR.get(self.period, 0)

    @property
    def is_covered(self) -> bool:
        """Whether the accounting that is done here holds for it: an accountant of DP-SGD needs Poisson sampling."""
        return self.kind != "sampled" or self.sampling == "Poisson"

    @property
    def shuffled_training(self) -> tuple[float, int, int]:
        """Of a training that uses every record once an epoch: its noise multiplier, batches of an epoch and epochs."""
        noise, rate = self.releases[0].numbers
        batches = round(1 / rate)
        return noise, batches, round(self.releases[0].count / batches)
