"""A published guarantee: the printed ε, what it consists of, and whose record it protects over which time."""

import re
from dataclasses import dataclass

from dpcore.composition import Release

PER_YEAR = {"a day": 365, "6 hours": 1460, "a month": 12}


@dataclass(frozen=True)
class Deployment:
    """A published guarantee: `printed_epsilon` at `delta` for `releases`, for a `unit` over a `period`.

    `adjacency` is how neighbouring data sets differ; `note` is what a reader must know, empty if there is nothing.
    Where a source prints ρ alone (`prints_rho`), `printed_epsilon` is its tight conversion at `delta`, rounded up.
    `mechanism` is the noise mechanism, and `accounting` how the printed ε follows from it; both are empty where that
    is not recorded. `sampling` says how the batches of a training were drawn. `memoised` says that a device repeats
    its noisy responses, so that the ε of its periods do not add up; `protects` is the class of its unit. The releases
    are all (ε, δ) guarantees, or one ρ, or the steps of one training.
    """

    name: str
    printed_epsilon: float
    delta: float
    releases: tuple[Release, ...]
    unit: str
    period: str
    adjacency: str
    source: str
    page: str = ""
    note: str = ""
    mechanism: str = ""
    accounting: str = ""
    sampling: str = "Poisson"
    memoised: bool = False
    protects: str = ""
    prints_rho: bool = False

    @property
    def url(self) -> str:
        """Return the address of the source: its page, or that of the paper on arXiv that it names."""
        paper = re.search(r"arXiv:(\d+\.\d+)", self.source)
        return self.page or (f"https://arxiv.org/abs/{paper[1]}" if paper else "")

    @property
    def kind(self) -> str:
        """Return what is published: "guarantee" (ε and δ alone), "zcdp" (ρ) or "sampled" (noise, rate and steps)."""
        return self.releases[0].kind

    @property
    def per_year(self) -> int:
        """Return how often its period occurs in a year; 0 for a single release or memoised responses."""
        return 0 if self.memoised else PER_YEAR.get(self.period, 0)

    @property
    def is_covered(self) -> bool:
        """Return whether the accounting of this page applies: accountants of DP-SGD require Poisson sampling."""
        return self.kind != "sampled" or self.sampling == "Poisson"

    @property
    def shuffled_training(self) -> tuple[float, int, int]:
        """Return noise multiplier, batches of an epoch and epochs where each epoch uses every record once."""
        noise, rate = self.releases[0].numbers
        batches = round(1 / rate)
        return noise, batches, round(self.releases[0].count / batches)
