"""The concepts behind the pages, each in a few sentences with an example, a source and the page where it is used."""

from dataclasses import dataclass

from pages.framework.layout.page_entry import PageEntry
from pages.shared.page_links import Link
from pages.shared.site_map import ACCURACY, COMPOSITION, DENOISING, PLAN, TABLES, TRADEOFF


@dataclass(frozen=True)
class Concept:
    """A concept: its name, its explanation, where to read more, and the page and section where it is used."""

    name: str
    meaning: str
    source: str
    page: PageEntry
    section: str

    def markdown(self, entries: dict[str, str]) -> str:
        """Return the concept in Markdown, with a link to its page that carries the shared parameters."""
        link = Link(self.page, self.page.name, entries | {"section": self.section}).markdown
        return f"**{self.name}**: {self.meaning} Source: {self.source}. Used on {link}."


CONCEPTS = (
    Concept(
        "Reconstruction and differencing",
        "why noise is needed at all. Exact counts reveal single people: if 87 people have a property, and 86 without "
        "one person, this person has it (differencing). With enough exact or nearly exact counts almost all records "
        "can be computed (reconstruction).",
        "Dinur & Nissim 2003; Garfinkel, Abowd & Martindale 2019",
        TABLES,
        "table",
    ),
    Concept(
        "Unit of privacy and contribution bounding",
        "the guarantee protects one unit: a record, a person, or a person’s data of one day. If a person can have many "
        "records, limit how many count, at most k each (contribution bounding). If each person adds 1 to at most 4 "
        "cells, Laplace noise needs 4 times the scale and Gaussian noise twice the σ of a table with 1 cell each.",
        "Amin, Kulesza, Muñoz Medina & Vassilvitskii 2019",
        TABLES,
        "table",
    ),
    Concept(
        "δ far below 1/n",
        "a mechanism that publishes each complete record with probability δ satisfies (0, δ)-DP. With n = 10,000 "
        "people and δ = 1/n it publishes at least one record with probability 63 %, and for δ = 1e-6 the probability "
        "is 1 %. So δ should be far below 1/n.",
        "Dwork & Roth 2014, Section 2.3",
        COMPOSITION,
        "profile",
    ),
    Concept(
        "Adaptive composition, filters and odometers",
        "in adaptive composition each query may depend on earlier answers, while the mechanisms and their parameters "
        "are fixed in advance. A privacy filter also lets the parameters depend on earlier answers and stops before a "
        "total budget is exceeded; an odometer states the total spent so far.",
        "Rogers, Roth, Ullman & Vadhan 2016; Whitehouse, Ramdas, Rogers & Wu 2023",
        COMPOSITION,
        "together",
    ),
    Concept(
        "Release plan, marginal cost",
        "a plan gives each of several queries its noise, from the errors that are wanted or from a total ε. The "
        "marginal cost of a query is what leaving it out would save; since privacy losses add up unevenly, marginal "
        "costs do not sum to the total. Ten counts with ±5 in 95 % of releases require ε = 5.991 together at δ = "
        "1e-6 with Laplace noise and 6.252 with Gaussian noise; for 30 of them Gaussian noise requires less, 11.99 "
        "instead of 15.93.",
        "Dong, Roth & Su 2022; Doroshenko et al. 2022",
        PLAN,
        "queries",
    ),
    Concept(
        "Parallel composition",
        "if releases use the records of different people, one person is in only one of them. Three groups released at "
        "ε = 1, 0.5 and 0.5 cost ε = 1 together under add/remove-one neighbours, instead of 2; under replace-one "
        "neighbours a record can change its group, and they cost the two largest, 1.5.",
        "McSherry 2009, Theorem 4",
        COMPOSITION,
        "together",
    ),
    Concept(
        "Private selection and the sparse vector technique",
        "the exponential mechanism and report noisy max publish only the best of many candidates, and cost one ε "
        "however many there are. The sparse vector technique answers a stream of queries and pays only for those above "
        "a threshold; several published variants are wrong.",
        "Dwork & Roth 2014, Chapter 3; Lyu, Su & Li 2017; Liu & Talwar 2019; Papernot & Steinke 2022",
        COMPOSITION,
        "together",
    ),
    Concept(
        "Local DP",
        "each person randomises the value before it leaves the device, so that nobody has to be trusted; three of the "
        "published guarantees are local. It costs accuracy: a count over 10,000 people at ε = 1 has a standard "
        "deviation of 96 by randomised response, and of 1.4 with geometric noise added by a trusted curator.",
        "Warner 1965; Kasiviswanathan et al. 2011",
        COMPOSITION,
        "published",
    ),
    Concept(
        "Amplification by sampling",
        "if a mechanism with ε runs on a random sample that contains each record with probability q, it satisfies "
        "ln(1 + q(e^ε − 1)): ε = 1 becomes 0.01704 at q = 1 %. The sample must be secret and drawn in this way.",
        "Balle, Barthe & Gaboardi 2018",
        COMPOSITION,
        "training",
    ),
    Concept(
        "Amplification by shuffling",
        "if a trusted shuffler removes who sent which local report, the reports together satisfy a much smaller ε: "
        "10,000 reports with ε = 1 each satisfy ε = 0.05301 at δ = 1e-6. This does not apply to shuffled batches of "
        "DP-SGD.",
        "Feldman, McMillan & Talwar 2023, Theorem 3.2",
        COMPOSITION,
        "batching",
    ),
    Concept(
        "Attacker’s advantage",
        "the largest difference between the true and the false positive rate of an attack, which is 0 for guessing. "
        "Pure ε-DP allows at most (e^ε − 1)/(e^ε + 1): 46.22 % at ε = 1.",
        "Yeom et al. 2018; Kulynych et al. 2024",
        TRADEOFF,
        "curves",
    ),
    Concept(
        "Posterior",
        "the probability that a person is in the data, for an attacker who knows the release. Under pure ε-DP no "
        "outcome raises a prior π further than to πe^ε/(πe^ε + 1 − π): at ε = 1 from 10 % to at most 23.2 %. Gaussian "
        "noise and a δ above 0 leave rare outcomes that nothing limits.",
        "Kasiviswanathan & Smith 2014",
        TRADEOFF,
        "risk",
    ),
    Concept(
        "ρ and the Rényi order",
        "ρ is the parameter of zero-concentrated DP, for Gaussian noise Δ₂²/(2σ²); it adds up over releases. Rényi DP "
        "gives one bound for each order α > 1, and the best order is used: ρ = 0.5 gives ε = 5.222 at δ = 1e-6.",
        "Bun & Steinke 2016; Mironov 2017; Canonne, Kamath & Steinke 2020",
        COMPOSITION,
        "accountants",
    ),
    Concept(
        "Audit",
        "an experiment that finds a lower bound on ε. In independent runs a coin decides whether a canary, an "
        "artificial record that is easy to detect, is included, and an attack guesses the coin. A perfect attack in "
        "1,000 runs, 500 of each kind, proves ε ≥ 4.905 at δ = 1e-6 with 95 % confidence, and no more.",
        "Jagielski, Ullman & Oprea 2020; Steinke, Nasr & Jagielski 2023",
        TRADEOFF,
        "attack",
    ),
    Concept(
        "Sampling error and noise together",
        "an error interval of the noise holds for the data. For the population, add the variances of sampling and "
        "noise: a proportion of one half among 1,000 people has a standard error of 0.0158 by sampling, 0.0014 by "
        "Laplace noise at ε = 1, and 0.0159 together; among 20 people it is 0.112, 0.071 and 0.132.",
        "Du et al. 2020; Ferrando, Wang & Sheldon 2022",
        ACCURACY,
        "accuracy",
    ),
    Concept(
        "SURE and James–Stein",
        "Stein’s unbiased risk estimate (SURE) estimates the error of a denoised release from the release alone; it is "
        "too optimistic after the best of many estimates was selected. The James–Stein estimator shrinks three or more "
        "noisy numbers towards a common point, and its total error is smaller than that of the noisy numbers.",
        "James & Stein 1961; Stein 1981",
        DENOISING,
        "counts",
    ),
    Concept(
        "Floating point and exact samplers",
        "the proofs assume exact real-valued noise. Noise from a floating-point sampler leaves patterns in the last "
        "digits, from which the true value can be computed. Discrete noise from an exact sampler, or a snapping "
        "mechanism, avoids this.",
        "Mironov 2012; Canonne, Kamath & Steinke 2020; Haney et al. 2022",
        TABLES,
        "table",
    ),
    Concept(
        "Timing",
        "how long a query or a sampler takes can depend on the data or on the noise, and an attacker who measures it "
        "learns from it, although the released number is private. Publish in batches, or use constant-time samplers.",
        "Jin, McMurtry, Rubinstein & Ohrimenko 2022",
        TABLES,
        "table",
    ),
)
