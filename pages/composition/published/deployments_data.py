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
    protects: str
    mechanism: str
    accounting: str
    source: str
    note: str = ""
    page: str = ""
    sampling: str = "Poisson"
    memoised: bool = False
    prints_rho: bool = False

    @property
    def url(self) -> str:
        """Return the address of the source: its page, or that of the paper on arXiv that it names."""
        paper = re.search(r"arXiv:(\d+\.\d+)", self.source)
        return self.page or (f"https://arxiv.org/abs/{paper[1]}" if paper else "")

    @property
    def publisher(self) -> str:
        """Return who published it, in a word or two."""
        return "US census" if self.name.startswith("Census") else self.name.partition(",")[0]

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

# What is printed; whom it protects, and how neighbours differ; how it is computed, and where; what a reader must know.
DEPLOYMENTS = (
    Deployment(
        *("Census 2020, persons", 17.14, 1e-10, (zcdp_release((542 / 339) ** 2),)),
        *("one person’s record", "once", "replace", PERSON),
        *("discrete Gaussian noise", "ρ-zCDP, tight conversion", "Abowd et al., arXiv:2204.08986"),
        "Redistricting tables. The production code has a global scale of 339/542, so ρ = (542/339)² = 2.5562; "
        "it is printed as 2.56. The printed total of 19.61 adds the 2.47 of the housing units: another unit "
        "of privacy, at twice the δ.",
    ),
    Deployment(
        *("Census DHC, persons", 26.34, 1e-10, (zcdp_release(4.96),)),
        *("one person’s record", "once", "replace", PERSON),
        *("discrete Gaussian noise", "ρ-zCDP, standard conversion", "Cumings-Menon et al., arXiv:2312.10863"),
        "Demographic tables of 2023, by the standard conversion; the redistricting tables went by the tight one.",
    ),
    Deployment(
        *("Census detailed, persons", 25.37, 1e-10, (zcdp_release(4.944),)),
        *("one person’s record", "once", "add or remove", PERSON),
        *("discrete Gaussian noise", "sum of the ρ of all queries", "U.S. Census Bureau, SafeTab-P"),
        "Detailed races and ethnicities (Detailed DHC-A), states and Washington: the sum of 11 shares of ρ. The same "
        "people are in the other tables of the census too.",
        page="https://github.com/uscensusbureau/DAS_2020_DDHCA_Production_Code/blob/"
        "f4bfcf918c48272f40af819c0d87fcb10c3f4ad2/configs/safetab-p/NMFv7-2020/config.json",
        prints_rho=True,
    ),
    Deployment(
        *("Israel, live births", 9.98, 0.0, (guarantee_release(9.98),)),
        *("one birth: a mother and a newborn", "once", "replace", PERSON),
        *("PrivBayes", "private selection of Liu & Talwar", "Hod & Canetti, arXiv:2405.00267"),
        "Synthetic microdata of 2014, published in 2024. ε counts the choice of the model and the checks too. "
        "Neighbours are those of its software (github.com/shlomihod/synthflow), whose counts in d tables have Laplace "
        "noise of scale 2d/ε, for replacing a record, and whose checks take the number of births as known.",
    ),
    Deployment(
        *("Census 2020, housing", 2.47, 1e-10, (zcdp_release(0.0747),)),
        *("one housing unit", "once", "replace", HOUSING),
        *("discrete Gaussian noise", "ρ-zCDP, tight conversion", "Abowd et al., arXiv:2204.08986"),
        "Redistricting tables. ρ is printed as 0.07; the printed ε needs ρ = 0.0747, which is taken here.",
    ),
    Deployment(
        *("Census DHC, housing", 34.33, 1e-10, (zcdp_release(7.70),)),
        *("one housing unit", "once", "replace", HOUSING),
        *("discrete Gaussian noise", "ρ-zCDP, standard conversion", "Cumings-Menon et al., arXiv:2312.10863"),
        "Demographic tables of 2023, printed by the standard conversion.",
    ),
    Deployment(
        *("Census detailed, homes", 36.44, 1e-10, (zcdp_release(8.895302),)),
        *("one household’s record", "once", "add or remove", HOUSING),
        *("discrete Gaussian noise", "sum of the ρ of all queries", "U.S. Census Bureau, SafeTab-H"),
        "Types of households and tenure by detailed races (Detailed DHC-B), states and Washington: the sum of 22 "
        "shares of ρ.",
        page="https://github.com/uscensusbureau/DAS_2020_DDHCB_Production_Code/blob/"
        "e2f11b59a55cad4e92e9ee10ab679bea37a4dcf3/configs/safetab-h/NMFv5/config.json",
        prints_rho=True,
    ),
    Deployment(
        *("Gboard, Spanish", 8.9, 1e-10, (zcdp_release(0.81),)),
        *("one device’s data", "one training", "zero out", ALL),
        *("DP-FTRL, Gaussian noise", "ρ-zCDP, tight conversion", "Xu et al., arXiv:2305.18465"),
        "The printed number is rounded down: the tight conversion gives a little more.",
    ),
    Deployment(
        *("Gboard, largest", 13.69, 1e-10, (guarantee_release(13.69, 1e-10),)),
        *("one device’s data", "one training", "not recorded here", ALL),
        *("DP-FTRL, Gaussian noise", "", "Google, ICLR Expo 2024"),
        "The largest of more than 30 models of keyboards; the smallest ε is 0.994.",
        page="https://iclr.cc/Expo/Conferences/2024/talk%20panel/21812",
    ),
    Deployment(
        *("LinkedIn engagement", 34.9, 7e-9, (guarantee_release(34.9, 7e-9),)),
        *("one member’s actions", "a month", "add or remove", PERIOD),
        *(
            "Laplace noise and the exponential mechanism",
            "composition of bounded-range mechanisms",
            "Rogers et al., arXiv:2002.05839",
        ),
    ),
    Deployment(
        *("Google mobility", 2.64, 0.0, (guarantee_release(1.76), guarantee_release(0.44, count=2))),
        *("one user’s visits", "a day", "add or remove", PERIOD),
        *("Laplace noise", "basic composition of the parts", "Aktay et al., arXiv:2004.04145"),
    ),
    Deployment(
        *("Google symptoms", 1.68, 0.0, (guarantee_release(1.68),)),
        *("one user’s searches", "a day", "add or remove", PERIOD),
        *("", "", "Bavadekar et al., arXiv:2009.01265"),
    ),
    Deployment(
        *("Google vaccine", 2.19, 1e-5, (guarantee_release(2.19, 1e-5),)),
        *("one user’s searches", "a day", "add or remove", PERIOD),
        *("", "", "Bavadekar et al., arXiv:2107.01179"),
    ),
    Deployment(
        *("Wikimedia views", 1.0, 1e-7, (zcdp_release(0.015),)),
        *("one device’s page views", "a day", "add or remove", PERIOD),
        *("", "ρ-zCDP, standard conversion", "Adeleye et al., arXiv:2308.16298"),
        "Printed as ε ≈ 1 beside ρ = 0.015.",
    ),
    Deployment(
        *("Wikimedia, 2017–2023", 1.0, 0.0, (guarantee_release(1),)),
        *("30 page views of a user", "a day", "add or remove", PERIOD),
        *("Laplace noise", "sensitivity of 30 page views", "Wikimedia, README of the release"),
        "Laplace noise of scale 30. Nobody’s views are limited: who viewed more than 30 pages on a day is protected "
        "less.",
        page="https://analytics.wikimedia.org/published/datasets/country_project_page_historical/00_README.html",
    ),
    Deployment(
        *("Google trips (EIE)", 2.0, 0.0, (guarantee_release(2),)),
        *("one user’s trips", "a week", "not recorded here", PERIOD),
        *("Laplace noise", "", "Bian et al., arXiv:2407.03496"),
        "Printed as ε ≈ 2. Environmental Insights Explorer.",
    ),
    Deployment(
        *("Facebook URLs", 1.453, 1e-5, (zcdp_release(0.0728),)),
        *("one action on a URL (?)", "once", "add or remove", REPORT),
        *("Gaussian noise", "ρ-zCDP beside μ-GDP", "Messing et al. 2020"),
        "The unit is not clear for all columns. ρ = 0.0728, taken here, stands beside μ = 0.376: its Gaussian has "
        "0.3816.",
        page="https://doi.org/10.7910/DVN/TDOAPG",
    ),
    Deployment(
        *("Apple emoji", 4.0, 0.0, (guarantee_release(4),)),
        *("one user’s report", "a day", "local", REPORT),
        *("randomised on the device", "one report: nothing to compose", "Apple, Differential Privacy Overview"),
        "ε is that of one report; a device sends at most one a day for this use, and other uses have an ε of their "
        "own.",
        page="https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
    ),
    Deployment(
        *("Apple health types", 2.0, 0.0, (guarantee_release(2),)),
        *("one user’s report", "a day", "local", REPORT),
        *("randomised on the device", "one report: nothing to compose", "Apple, Differential Privacy Overview"),
        page="https://www.apple.com/privacy/docs/Differential_Privacy_Overview.pdf",
    ),
    Deployment(
        *("Windows telemetry", 1.672, 0.0, (guarantee_release(1.672),)),
        *("one device’s app usage", "6 hours", "local", REPORT),
        *("randomised on the device", "", "Ding, Kulkarni & Yekhanin, arXiv:1712.01524"),
        "The device memoises its noisy responses: to multiply ε by the number of periods would overstate a year.",
        memoised=True,
    ),
    Deployment(
        *("VaultGemma 1B", 2.0, 1.1e-10, (guarantee_release(2.0, 1.1e-10),)),
        *("one sequence of 1,024 tokens", "one training", "zero out", EXAMPLE),
        *("DP-SGD", "privacy losses on a grid", "VaultGemma Team 2025, arXiv:2510.15001"),
        "Printed as ε ≤ 2.0. A text of several sequences, or a person with several texts, is protected less.",
    ),
    Deployment(
        *("Abadi et al., example", 1.26, 1e-5, (sampled_release(4, 0.01, 10_000),)),
        *("one training example", "one training", "add or remove", EXAMPLE),
        *("DP-SGD", "moments accountant", "Abadi et al. 2016, arXiv:1607.00133"),
        "It illustrates the accountant (Section 3): the models for MNIST are at ε = 0.5, 2 and 8, on a random "
        "partition.",
        sampling="partitioned",
    ),
    Deployment(
        *("TensorFlow tutorial", 1.18, 1e-5, (sampled_release(1.3, 250 / 60_000, 3600),)),
        *("one training example", "one training", "add or remove", EXAMPLE),
        *("DP-SGD", "RDP, standard conversion", "TensorFlow Privacy, MNIST tutorial"),
        "The number holds for Poisson sampling; the batches were shuffled.",
        page="https://github.com/tensorflow/privacy/blob/28d6db4c9283db5a6631ba66bbb9df975c0ffe2d/tutorials/"
        "Classification_Privacy.ipynb",
        sampling="shuffled",
    ),
    Deployment(
        *("Opacus, MNIST", 1.16, 1e-5, (sampled_release(1.3, 0.004, 15 * 250),)),
        *("one training example", "one training", "add or remove", EXAMPLE),
        *("DP-SGD", "RDP, standard conversion", "Opacus, MNIST example"),
        "The file’s command has the rate 0.004 and 15 epochs; the printed ε is of 250 steps an epoch, its log shows "
        "240.",
        page="https://github.com/pytorch/opacus/blob/eb4e69a665576e7626a4874ff1bdf7f36c650f13/examples/mnist_README.md",
    ),
)
