"""Published promises: what was printed, of what it is made, and whose record over which time it protects."""

from dataclasses import dataclass

from dpcore.composition import Release, laplace_release, promise_release, sampled_release, zcdp_release


@dataclass(frozen=True)
class Deployment:
    """A published promise: ε `claimed` at `delta` for what was released, `unit` a `period`, and where it stands.

    `adjacency` is how neighbouring data sets differ; `note` is what a reader must know, empty if there is nothing.
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


_CENSUS = "https://www.census.gov/programs-surveys/decennial-census/decade/2020/planning-management/process.html"
_CENSUS_NOTE = (
    "The production code has a global scale of 339/542, so ρ = (542/339)² = 2.5562. The printed total of 19.61 adds "
    "the 2.47 of the housing units: two units of privacy, at twice the δ."
)
DEPLOYMENTS = (
    Deployment(
        "Census 2020, persons",
        17.14,
        1e-10,
        (zcdp_release((542 / 339) ** 2),),
        "one person's record",
        "once: the redistricting tables",
        "replace",
        "Abowd et al., arXiv:2204.08986",
        "https://arxiv.org/abs/2204.08986",
        _CENSUS_NOTE,
    ),
    Deployment(
        "Census 2020, housing",
        2.47,
        1e-10,
        (zcdp_release(0.07),),
        "one housing unit",
        "once: the redistricting tables",
        "replace",
        "Abowd et al., arXiv:2204.08986",
        "https://arxiv.org/abs/2204.08986",
        "ρ is printed as 0.07; the printed ε needs ρ = 0.0747.",
    ),
    Deployment(
        "Census DHC, persons",
        26.34,
        1e-10,
        (zcdp_release(4.96),),
        "one person's record",
        "once: the demographic tables of 2023",
        "replace",
        "US Census Bureau 2023",
        _CENSUS,
        "Printed by the standard conversion; the redistricting tables were printed by the tight one.",
    ),
    Deployment(
        "Census DHC, housing",
        34.33,
        1e-10,
        (zcdp_release(7.70),),
        "one housing unit",
        "once: the demographic tables of 2023",
        "replace",
        "US Census Bureau 2023",
        _CENSUS,
        "Printed by the standard conversion.",
    ),
    Deployment(
        "Gboard, Spanish",
        8.9,
        1e-10,
        (zcdp_release(0.81),),
        "one user's device",
        "one training",
        "add or remove",
        "Xu et al., arXiv:2305.18465",
        "https://arxiv.org/abs/2305.18465",
    ),
    Deployment(
        "Wikimedia views",
        1.0,
        1e-7,
        (zcdp_release(0.015),),
        "one device's page views",
        "a day",
        "add or remove",
        "Adeleye et al., arXiv:2308.16298",
        "https://arxiv.org/abs/2308.16298",
    ),
    Deployment(
        "Google mobility",
        2.64,
        0.0,
        (laplace_release(1.76), laplace_release(0.44, 2)),
        "one user's visits",
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
        "one user's searches",
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
        "one user's searches",
        "a day",
        "add or remove",
        "Bavadekar et al., arXiv:2107.01179",
        "https://arxiv.org/abs/2107.01179",
    ),
    Deployment(
        "Windows telemetry",
        1.672,
        0.0,
        (promise_release(1.672),),
        "one user's app usage",
        "6 hours",
        "local",
        "Ding, Kulkarni & Yekhanin, arXiv:1712.01524",
        "https://arxiv.org/abs/1712.01524",
    ),
    Deployment(
        "LinkedIn engagement",
        34.9,
        7e-9,
        (promise_release(34.9, 7e-9),),
        "one member's actions",
        "a month",
        "add or remove",
        "Rogers et al., arXiv:2002.05839",
        "https://arxiv.org/abs/2002.05839",
    ),
    Deployment(
        "Facebook URLs",
        1.453,
        1e-5,
        (zcdp_release(0.0728),),
        "one action on a URL; not clear for all columns",
        "once: the data set of 2020",
        "add or remove",
        "Messing et al. 2020, doi:10.7910/DVN/TDOAPG",
        "https://doi.org/10.7910/DVN/TDOAPG",
        "ρ = 0.0728 is printed beside μ = 0.376, but one Gaussian of that ρ has μ = 0.3816.",
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
        "Its batches were shuffled, while the number is that of Poisson sampling.",
    ),
    Deployment(
        "Opacus, MNIST",
        1.10,
        1e-5,
        (sampled_release(1.0, 1 / 938, 9380),),
        "one training example",
        "one training",
        "add or remove",
        "Opacus, MNIST example",
        "https://github.com/pytorch/opacus",
    ),
)
