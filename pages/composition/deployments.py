"""Published promises: what was printed, of what it is made, and whose record over which time it protects."""

from dataclasses import dataclass

from dpcore.composition import Release, promise_release, sampled_release, zcdp_release

PER_YEAR = {"a day": 365, "6 hours": 1460, "a month": 12}


@dataclass(frozen=True)
class Deployment:
    """A published promise: ε `claimed` at `delta` for what was released, `unit` a `period`, and where it stands.

    `adjacency` is how neighbouring data sets differ; `note` is what a reader must know, empty if there is nothing.
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

    @property
    def kind(self) -> str:
        """What is known of it: "promise" (ε and δ alone), "zcdp" (ρ) or "sampled" (noise, rate and steps)."""
        return self.releases[0].kind

    @property
    def per_year(self) -> int:
        """How often its period comes in a year; 0 for what is released once."""
        return PER_YEAR.get(self.period, 0)


DEPLOYMENTS = (
    Deployment(
        "Census 2020, persons",
        17.14,
        1e-10,
        (zcdp_release((542 / 339) ** 2),),
        "one person’s record",
        "once",
        "replace",
        "Abowd et al., arXiv:2204.08986",
        "https://arxiv.org/abs/2204.08986",
        "Redistricting tables. The production code has a global scale of 339/542, so ρ = (542/339)² = 2.5562; "
        "it is printed as 2.56. The printed total of 19.61 adds the 2.47 of the housing units: another unit "
        "of privacy, at twice the δ.",
    ),
    Deployment(
        "Census 2020, housing",
        2.47,
        1e-10,
        (zcdp_release(0.0747),),
        "one housing unit",
        "once",
        "replace",
        "Abowd et al., arXiv:2204.08986",
        "https://arxiv.org/abs/2204.08986",
        "Redistricting tables. ρ is printed as 0.07; the printed ε needs ρ = 0.0747, which is taken here.",
    ),
    Deployment(
        "Census DHC, persons",
        26.34,
        1e-10,
        (zcdp_release(4.96),),
        "one person’s record",
        "once",
        "replace",
        "Cumings-Menon et al., arXiv:2312.10863",
        "https://arxiv.org/abs/2312.10863",
        "Demographic tables of 2023, printed by the standard conversion; the redistricting tables were "
        "printed by the tight one.",
    ),
    Deployment(
        "Census DHC, housing",
        34.33,
        1e-10,
        (zcdp_release(7.70),),
        "one housing unit",
        "once",
        "replace",
        "Cumings-Menon et al., arXiv:2312.10863",
        "https://arxiv.org/abs/2312.10863",
        "Demographic tables of 2023, printed by the standard conversion.",
    ),
    Deployment(
        "Facebook URLs",
        1.453,
        1e-5,
        (zcdp_release(0.0728),),
        "one action on a URL (?)",
        "once",
        "add or remove",
        "Messing et al. 2020",
        "https://doi.org/10.7910/DVN/TDOAPG",
        "The unit is not clear for all columns. ρ = 0.0728 is printed beside μ = 0.376, but one Gaussian of "
        "that ρ has μ = 0.3816; ρ is taken here.",
    ),
    Deployment(
        "Gboard, Spanish",
        8.9,
        1e-10,
        (zcdp_release(0.81),),
        "one device’s data",
        "one training",
        "zero out",
        "Xu et al., arXiv:2305.18465",
        "https://arxiv.org/abs/2305.18465",
        "The printed number is rounded down: the tight conversion gives a little more.",
    ),
    Deployment(
        "Abadi et al., MNIST",
        1.26,
        1e-5,
        (sampled_release(4, 0.01, 10_000),),
        "one training example",
        "one training",
        "add or remove",
        "Abadi et al. 2016, arXiv:1607.00133",
        "https://arxiv.org/abs/1607.00133",
        "The number is that of Poisson sampling; the batches were a random partition.",
    ),
    Deployment(
        "TensorFlow tutorial",
        1.18,
        1e-5,
        (sampled_release(1.3, 250 / 60_000, 3600),),
        "one training example",
        "one training",
        "add or remove",
        "TensorFlow Privacy, MNIST tutorial",
        "https://github.com/tensorflow/privacy",
        "The number is that of Poisson sampling; the batches were shuffled.",
    ),
    Deployment(
        "Opacus, MNIST",
        1.1,
        1e-5,
        (sampled_release(1.0, 1 / 938, 9380),),
        "one training example",
        "one training",
        "add or remove",
        "Opacus, MNIST example",
        "https://github.com/pytorch/opacus",
    ),
    Deployment(
        "LinkedIn engagement",
        34.9,
        7e-9,
        (promise_release(34.9, 7e-9),),
        "one member’s actions",
        "a month",
        "add or remove",
        "Rogers et al., arXiv:2002.05839",
        "https://arxiv.org/abs/2002.05839",
    ),
    Deployment(
        "Wikimedia views",
        1.0,
        1e-7,
        (zcdp_release(0.015),),
        "one device’s page views",
        "a day",
        "add or remove",
        "Adeleye et al., arXiv:2308.16298",
        "https://arxiv.org/abs/2308.16298",
        "Printed as ε ≈ 1 beside ρ = 0.015.",
    ),
    Deployment(
        "Google mobility",
        2.64,
        0.0,
        (
            promise_release(1.76),
            promise_release(0.44, count=2),
        ),
        "one user’s visits",
        "a day",
        "add or remove",
        "Aktay et al., arXiv:2004.04145",
        "https://arxiv.org/abs/2004.04145",
    ),
    Deployment(
        "Google symptoms",
        1.68,
        0.0,
        (promise_release(1.68),),
        "one user’s searches",
        "a day",
        "add or remove",
        "Bavadekar et al., arXiv:2009.01265",
        "https://arxiv.org/abs/2009.01265",
    ),
    Deployment(
        "Google vaccine",
        2.19,
        1e-5,
        (promise_release(2.19, 1e-5),),
        "one user’s searches",
        "a day",
        "add or remove",
        "Bavadekar et al., arXiv:2107.01179",
        "https://arxiv.org/abs/2107.01179",
    ),
    Deployment(
        "Apple emoji",
        4.0,
        0.0,
        (promise_release(4),),
        "one user’s report",
        "a day",
        "local",
        "Apple, Differential Privacy Overview",
        "https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
        "ε is that of one report, of which a device sends at most one a day for this use; other uses have an "
        "ε of their own. Health types likewise.",
    ),
    Deployment(
        "Apple health types",
        2.0,
        0.0,
        (promise_release(2),),
        "one user’s report",
        "a day",
        "local",
        "Apple, Differential Privacy Overview",
        "https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
    ),
    Deployment(
        "Windows telemetry",
        1.672,
        0.0,
        (promise_release(1.672),),
        "one device’s app usage",
        "6 hours",
        "local",
        "Ding, Kulkarni & Yekhanin, arXiv:1712.01524",
        "https://arxiv.org/abs/1712.01524",
    ),
)
