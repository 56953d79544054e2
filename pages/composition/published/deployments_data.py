"""The published guarantees, each as its source printed it, in the order of what they protect, and their record."""

import re
from dataclasses import dataclass

from dpcore.composition import Release, guarantee_release, sampled_release, zcdp_release

PER_YEAR = {"a day": 365, "6 hours": 1460, "a week": 53, "a month": 12}


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


PERSON, HOUSING = "a person’s record", "a housing unit"
ALL, PERIOD = "all data of a device", "a user or device, for a time"
REPORT, EXAMPLE = "one report or action", "one training example"
PROTECTED = (PERSON, HOUSING, ALL, PERIOD, REPORT, EXAMPLE)
"""Whom or what the guarantees protect: the widest protection first."""

DEPLOYMENTS = (
    Deployment(
        "Census 2020, persons",
        17.14,
        1e-10,
        (zcdp_release((542 / 339) ** 2),),
        *("one person’s record", "once", "replace"),
        "Abowd et al., arXiv:2204.08986",
        note="Redistricting tables. The production code has a global scale of 339/542, so ρ = (542/339)² = 2.5562; "
        "it is printed as 2.56. The printed total of 19.61 adds the 2.47 of the housing units: another unit "
        "of privacy, at twice the δ.",
        mechanism="discrete Gaussian noise",
        accounting="ρ-zCDP, tight conversion",
        protects=PERSON,
    ),
    Deployment(
        "Census DHC, persons",
        26.34,
        1e-10,
        (zcdp_release(4.96),),
        *("one person’s record", "once", "replace"),
        "Cumings-Menon et al., arXiv:2312.10863",
        note="Demographic tables of 2023, by the standard conversion; the redistricting tables went by the tight one.",
        mechanism="discrete Gaussian noise",
        accounting="ρ-zCDP, standard conversion",
        protects=PERSON,
    ),
    Deployment(
        "Census detailed, persons",
        25.37,
        1e-10,
        (zcdp_release(4.944),),
        *("one person’s record", "once", "add or remove"),
        "U.S. Census Bureau, SafeTab-P",
        "https://github.com/uscensusbureau/DAS_2020_DDHCA_Production_Code/blob/"
        "f4bfcf918c48272f40af819c0d87fcb10c3f4ad2/configs/safetab-p/NMFv7-2020/config.json",
        "Detailed races and ethnicities (Detailed DHC-A), states and Washington: the sum of 11 shares of ρ. The same "
        "people are in the other tables of the census too.",
        mechanism="discrete Gaussian noise",
        accounting="sum of the ρ of all queries",
        protects=PERSON,
        prints_rho=True,
    ),
    Deployment(
        "Israel, live births",
        9.98,
        0.0,
        (guarantee_release(9.98),),
        *("one birth: a mother and a newborn", "once", "not recorded here"),
        "Hod & Canetti, arXiv:2405.00267",
        note="Synthetic microdata of 2014, published in 2024. ε counts the choice of the model and the checks too.",
        mechanism="PrivBayes",
        accounting="private selection of Liu & Talwar",
        protects=PERSON,
    ),
    Deployment(
        "Census 2020, housing",
        2.47,
        1e-10,
        (zcdp_release(0.0747),),
        *("one housing unit", "once", "replace"),
        "Abowd et al., arXiv:2204.08986",
        note="Redistricting tables. ρ is printed as 0.07; the printed ε needs ρ = 0.0747, which is taken here.",
        mechanism="discrete Gaussian noise",
        accounting="ρ-zCDP, tight conversion",
        protects=HOUSING,
    ),
    Deployment(
        "Census DHC, housing",
        34.33,
        1e-10,
        (zcdp_release(7.70),),
        *("one housing unit", "once", "replace"),
        "Cumings-Menon et al., arXiv:2312.10863",
        note="Demographic tables of 2023, printed by the standard conversion.",
        mechanism="discrete Gaussian noise",
        accounting="ρ-zCDP, standard conversion",
        protects=HOUSING,
    ),
    Deployment(
        "Census detailed, homes",
        36.44,
        1e-10,
        (zcdp_release(8.895302),),
        *("one household’s record", "once", "add or remove"),
        "U.S. Census Bureau, SafeTab-H",
        "https://github.com/uscensusbureau/DAS_2020_DDHCB_Production_Code/blob/"
        "e2f11b59a55cad4e92e9ee10ab679bea37a4dcf3/configs/safetab-h/NMFv5/config.json",
        "Types of households and tenure by detailed races (Detailed DHC-B), states and Washington: the sum of 22 "
        "shares of ρ.",
        mechanism="discrete Gaussian noise",
        accounting="sum of the ρ of all queries",
        protects=HOUSING,
        prints_rho=True,
    ),
    Deployment(
        "Gboard, Spanish",
        8.9,
        1e-10,
        (zcdp_release(0.81),),
        *("one device’s data", "one training", "zero out"),
        "Xu et al., arXiv:2305.18465",
        note="The printed number is rounded down: the tight conversion gives a little more.",
        mechanism="DP-FTRL, Gaussian noise",
        accounting="ρ-zCDP, tight conversion",
        protects=ALL,
    ),
    Deployment(
        "Gboard, largest",
        13.69,
        1e-10,
        (guarantee_release(13.69, 1e-10),),
        *("one device’s data", "one training", "not recorded here"),
        "Google, ICLR Expo 2024",
        "https://iclr.cc/Expo/Conferences/2024/talk%20panel/21812",
        "The largest of more than 30 models of keyboards; the smallest ε is 0.994.",
        mechanism="DP-FTRL, Gaussian noise",
        protects=ALL,
    ),
    Deployment(
        "LinkedIn engagement",
        34.9,
        7e-9,
        (guarantee_release(34.9, 7e-9),),
        *("one member’s actions", "a month", "add or remove"),
        "Rogers et al., arXiv:2002.05839",
        mechanism="Laplace noise and the exponential mechanism",
        accounting="composition of bounded-range mechanisms",
        protects=PERIOD,
    ),
    Deployment(
        "Google mobility",
        2.64,
        0.0,
        (guarantee_release(1.76), guarantee_release(0.44, count=2)),
        *("one user’s visits", "a day", "add or remove"),
        "Aktay et al., arXiv:2004.04145",
        mechanism="Laplace noise",
        accounting="basic composition of the parts",
        protects=PERIOD,
    ),
    Deployment(
        "Google symptoms",
        1.68,
        0.0,
        (guarantee_release(1.68),),
        *("one user’s searches", "a day", "add or remove"),
        "Bavadekar et al., arXiv:2009.01265",
        protects=PERIOD,
    ),
    Deployment(
        "Google vaccine",
        2.19,
        1e-5,
        (guarantee_release(2.19, 1e-5),),
        *("one user’s searches", "a day", "add or remove"),
        "Bavadekar et al., arXiv:2107.01179",
        protects=PERIOD,
    ),
    Deployment(
        "Wikimedia views",
        1.0,
        1e-7,
        (zcdp_release(0.015),),
        *("one device’s page views", "a day", "add or remove"),
        "Adeleye et al., arXiv:2308.16298",
        note="Printed as ε ≈ 1 beside ρ = 0.015.",
        accounting="ρ-zCDP, standard conversion",
        protects=PERIOD,
    ),
    Deployment(
        "Wikimedia, 2017–2023",
        1.0,
        0.0,
        (guarantee_release(1),),
        *("30 page views of a user", "a day", "add or remove"),
        "Wikimedia, README of the release",
        "https://analytics.wikimedia.org/published/datasets/country_project_page_historical/00_README.html",
        "Laplace noise of scale 30. Nobody’s views are limited: who viewed more than 30 pages on a day is protected "
        "less.",
        mechanism="Laplace noise",
        accounting="sensitivity of 30 page views",
        protects=PERIOD,
    ),
    Deployment(
        "Google trips (EIE)",
        2.0,
        0.0,
        (guarantee_release(2),),
        *("one user’s trips", "a week", "not recorded here"),
        "Bian et al., arXiv:2407.03496",
        note="Printed as ε ≈ 2. Environmental Insights Explorer.",
        mechanism="Laplace noise",
        protects=PERIOD,
    ),
    Deployment(
        "Facebook URLs",
        1.453,
        1e-5,
        (zcdp_release(0.0728),),
        *("one action on a URL (?)", "once", "add or remove"),
        "Messing et al. 2020",
        "https://doi.org/10.7910/DVN/TDOAPG",
        "The unit is not clear for all columns. ρ = 0.0728, taken here, stands beside μ = 0.376: its Gaussian has "
        "0.3816.",
        mechanism="Gaussian noise",
        accounting="ρ-zCDP beside μ-GDP",
        protects=REPORT,
    ),
    Deployment(
        "Apple emoji",
        4.0,
        0.0,
        (guarantee_release(4),),
        *("one user’s report", "a day", "local"),
        "Apple, Differential Privacy Overview",
        "https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
        "ε is that of one report; a device sends at most one a day for this use, and other uses have an ε of their "
        "own.",
        mechanism="randomised on the device",
        accounting="one report: nothing to compose",
        protects=REPORT,
    ),
    Deployment(
        "Apple health types",
        2.0,
        0.0,
        (guarantee_release(2),),
        *("one user’s report", "a day", "local"),
        "Apple, Differential Privacy Overview",
        "https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
        mechanism="randomised on the device",
        accounting="one report: nothing to compose",
        protects=REPORT,
    ),
    Deployment(
        "Windows telemetry",
        1.672,
        0.0,
        (guarantee_release(1.672),),
        *("one device’s app usage", "6 hours", "local"),
        "Ding, Kulkarni & Yekhanin, arXiv:1712.01524",
        note="The device memoises its noisy responses: to multiply ε by the number of periods would overstate a year.",
        mechanism="randomised on the device",
        memoised=True,
        protects=REPORT,
    ),
    Deployment(
        "VaultGemma 1B",
        2.0,
        1.1e-10,
        (guarantee_release(2.0, 1.1e-10),),
        *("one sequence of 1,024 tokens", "one training", "zero out"),
        "VaultGemma Team 2025, arXiv:2510.15001",
        note="Printed as ε ≤ 2.0. A text of several sequences, or a person with several texts, is protected less.",
        mechanism="DP-SGD",
        accounting="privacy losses on a grid",
        protects=EXAMPLE,
    ),
    Deployment(
        "Abadi et al., example",
        1.26,
        1e-5,
        (sampled_release(4, 0.01, 10_000),),
        *("one training example", "one training", "add or remove"),
        "Abadi et al. 2016, arXiv:1607.00133",
        note="It illustrates the accountant (Section 3): the models for MNIST are at ε = 0.5, 2 and 8, on a random "
        "partition.",
        mechanism="DP-SGD",
        accounting="moments accountant",
        sampling="partitioned",
        protects=EXAMPLE,
    ),
    Deployment(
        "TensorFlow tutorial",
        1.18,
        1e-5,
        (sampled_release(1.3, 250 / 60_000, 3600),),
        *("one training example", "one training", "add or remove"),
        "TensorFlow Privacy, MNIST tutorial",
        "https://github.com/tensorflow/privacy/blob/28d6db4c9283db5a6631ba66bbb9df975c0ffe2d/tutorials/"
        "Classification_Privacy.ipynb",
        "The number holds for Poisson sampling; the batches were shuffled.",
        mechanism="DP-SGD",
        accounting="RDP, standard conversion",
        sampling="shuffled",
        protects=EXAMPLE,
    ),
    Deployment(
        "Opacus, MNIST",
        1.16,
        1e-5,
        (sampled_release(1.3, 0.004, 15 * 250),),
        *("one training example", "one training", "add or remove"),
        "Opacus, MNIST example",
        "https://github.com/pytorch/opacus/blob/eb4e69a665576e7626a4874ff1bdf7f36c650f13/examples/mnist_README.md",
        "The file’s command has the rate 0.004 and 15 epochs; the printed ε is of 250 steps an epoch, its log shows "
        "240.",
        mechanism="DP-SGD",
        accounting="RDP, standard conversion",
        protects=EXAMPLE,
    ),
)
