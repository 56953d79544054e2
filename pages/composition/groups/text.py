"""The sentences of the section "Groups and models"."""

from pages.composition.groups.results import MOST_EPSILON, GroupsResult, groups_at
from pages.composition.results import CompositionResult
from pages.framework.parameters.number_format import format_input_up, format_up

TOO_LARGE = (
    f"Groups are computed for ε up to {MOST_EPSILON:,.0f}: at a larger ε the guarantee protects nobody.",
    "Choose a smaller ε.",
)
KINDS = (
    "**Why gε is an upper bound.** Two data sets that differ in g people are linked by a chain of g neighbouring "
    "steps, and each step costs at most ε. Laplace noise on one number reaches gε. With (ε, δ) alone δ grows "
    "too, by more than g times; at the same δ, Gaussian noise therefore often has more than gε.\n\n"
    "**Parallel composition.** Releases on disjoint people cost the largest ε, not the sum, if the record alone "
    "decides in which part it is. If a person is replaced, the new one may be in another part: the two largest ε add "
    "up."
)
ADAPTIVE = (
    "**Parameters chosen adaptively.** Every number on this page allows queries that depend on earlier answers. If ε, "
    "σ or the number of releases depends on them too, sums of ε (pure DP), of ρ (zCDP) and of Rényi divergences at one "
    "order still hold as a **privacy filter**: fix the budget before the first release, and stop before the sum "
    "exceeds it (Rogers, Roth, Ullman & Vadhan 2016; Feldman & Zrnic 2021; Whitehouse, Ramdas, Rogers & Wu 2023). "
    "The exact composition of privacy losses has no such guarantee: use it for parameters that are fixed in advance."
)
EXPLANATION = r"""
**Groups.** A group of g people, or one person with g records where the guarantee is for one record:
$\varepsilon\to g\varepsilon$ (pure DP); $\delta\to\delta\,\frac{e^{g\varepsilon}-1}{e^\varepsilon-1}$ at
$g\varepsilon$ (Vadhan 2017, Lemma 2.2); $\mu\to g\mu$ (Dong, Roth & Su 2022); $\rho\to g^2\rho$ (Bun & Steinke 2016,
Prop. 1.9); a Rényi divergence $\tau(\alpha)\to3^c\,\tau(\alpha)$ at order $\alpha/2^c$, $c=\lceil\log_2g\rceil$
(Mironov 2017, Prop. 2), which is above the exact $g^2\rho\,\alpha$ of Gaussian noise. Gaussian noise moved g times as
far has the exact ε of gμ. “Any mechanism with its profile” applies Vadhan’s lemma to every point of δ(ε) and takes the
least ε.

**Parallel composition** (McSherry 2009): the largest ε if a person is added or removed, the sum of the two largest if a
person is replaced; δ likewise.

**Shuffling.** n people send reports with ε₀-DP, and a shuffler removes who sent which. Neighbours differ in one
person’s answer (replacement). The closed forms of Feldman, McMillan & Talwar 2021 (arXiv:2012.12803) and 2023
(arXiv:2208.04591) hold under conditions, outside which ε₀ is stated; the numerical bound sums over the clones of a
report and holds for every randomiser. All are upper bounds, rounded up, and never above ε₀. Against anybody who
sees reports before the shuffler, only ε₀ holds.
"""


def answer_text(result: CompositionResult) -> tuple[str, ...]:
    """Return what the guarantee becomes for the group, and for the shuffled reports; beside a pin its group."""
    groups = groups_at(result)
    if groups is None:
        return TOO_LARGE
    pinned = None if result.pinned is None else groups_at(result.pinned)
    if pinned is None:
        return answer_sentences(groups)
    words = f"Pinned: {guarantee_words(pinned)}; a group of {pinned.setting.size} has ε = {format_up(pinned.gaussian)}."
    return *answer_sentences(groups), words


def answer_sentences(groups: GroupsResult) -> tuple[str, str]:
    """Return the two sentences of the answer."""
    setting = groups.setting
    people = "One person" if setting.size == 1 else f"{setting.size} people together"
    delta = format_input_up(setting.delta)
    first = f"{people} have **ε = {format_up(groups.pure)}** under pure ε-DP, **{format_up(groups.gaussian)}** under"
    first = first.replace("person have", "person has")
    second = f"{setting.reports:,} shuffled reports with ε₀ = {format_input_up(setting.local_epsilon)} satisfy"
    return (
        f"{first} Gaussian noise at δ = {delta}.",
        f"{second} ε = {format_up(groups.shuffled[2])} at the same δ, if the shuffler is trusted.",
    )


def guarantee_words(groups: GroupsResult) -> str:
    """Return the guarantee of one person in words."""
    setting = groups.setting
    return f"One person: ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}"


def reports_words(groups: GroupsResult) -> str:
    """Return the reports in words."""
    setting = groups.setting
    return f"ε₀ = {format_input_up(setting.local_epsilon)}, δ = {format_input_up(setting.delta)}"


def shuffle_text(groups: GroupsResult) -> str:
    """Return what the chart of shuffled reports shows."""
    first, second, numerical = map(format_up, groups.shuffled)
    return (
        f"ε of {groups.setting.reports:,} shuffled reports: {first} by the bound of 2021, {second} by that of 2023, "
        f"{numerical} numerically. More reports give a smaller ε."
    )


def table_text(groups: GroupsResult) -> str:
    """Return what the table shows."""
    return (
        f"The guarantee of one person and of {groups.setting.size} together, of disjoint parts, and of "
        f"{groups.setting.reports:,} shuffled reports."
    )
