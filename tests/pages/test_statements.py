"""The statements of "Say it": their numbers are those of the page on the safe side, and none claims what is not so."""

import re
from itertools import product
from math import ceil

import pytest

from dpcore import tradeoff
from dpcore.families import FAMILIES
from dpcore.mechanism import Mechanism
from pages.accuracy.results import AccuracyResult, recommended_row
from pages.framework.layout.offers import Statements
from pages.framework.parameters.number_format import format_input_up, format_up, percent_up
from tests.pages.composition.guesses import share_of_training
from tests.programs import at

EPSILONS = ("0.01", "1", "1.3333333333333333", "10")
QUERIES = ("count", "sum", "mean", "proportion", "histogram", "own")
RELEASES = [
    *(f"/Accuracy?query={query}&epsilon={epsilon}" for query, epsilon in product(QUERIES, EPSILONS)),
    *(f"/Accuracy?promise=delta&delta=0.01&query={query}&neighbours=replace" for query in QUERIES),
    "/Accuracy?known=accuracy&query=mean&accuracy=2",
    "/Accuracy?known=accuracy&query=count&accuracy=3&significance=1/3&contribution=limited&per_total=4",
    "/Accuracy?epsilon=0",
    *(f"/Tables?epsilon={epsilon}" for epsilon in EPSILONS),
    "/Tables?promise=delta&delta=1e-5&per_person=40&error=each&contribution=limited",
    "/Tables?promise=delta&delta=1e-3&per_person=9&neighbours=replace&margins=2",
    "/Tables?table=size&cells=1&promise=delta&delta=0.1&significance=0.001",
    "/Tables?section=table&mechanism=discrete_gaussian&per_person=4&delta=1e-9",
    "/Tables?section=release&mechanism=truncated_geometric",
]
"""Settings whose answer is a release of noise of one mechanism."""
OTHERS = [
    "/Accuracy?section=records&query=mean&accuracy=0.7",
    "/Accuracy?section=records&query=proportion&neighbours=replace&epsilon=0.001&delta=0.1&promise=delta&accuracy=0.02",
    "/A_median",
    "/A_median?step=none&neighbours=replace&epsilon=0.01",
    "/A_median?quantile=0.9&epsilon=10&significance=0.01",
    "/Clipping",
    "/Clipping?noise=geometric&median=2&p90=7&high=50&epsilon=0.01",
    "/Clipping?query=mean&noise=gaussian&significance=0.1&epsilon=10",
    "/Clipping?query=counted_mean&noise=truncated_laplace&delta=0.01",
    "/Clipping?section=contributions&noise=gaussian&epsilon=0.01",
    "/Clipping?section=contributions&noise=discrete_gaussian&cells=100",
    "/Clipping?section=contributions&people=zipf&spread=one_cell&dropping=weight&epsilon=10",
    "/Plan",
    "/Plan?promise=delta&delta=0.01&neighbours=replace",
    "/Plan?direction=total&epsilon=0.01&queries=count:5=a;table:60,36,2,1*all=b;sum:200,0,50@gaussian=c&periods=12",
    "/Plan?direction=total&epsilon=10&promise=delta",
    "/A_median?section=several",
    "/A_median?section=several&neighbours=replace&epsilon=0.3",
    "/A_median?section=several&n_records=5000&quantiles=0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9",
    "/A_median?section=largest",
    "/A_median?section=largest&chosen=3&chooser=exponential&neighbours=replace",
    "/A_median?section=largest&chooser=report_noisy_max&epsilon=10",
    "/A_series",
    "/A_series?totals=window&publication=once&epsilon=0.3&delta=0.01&in_periods=5&per_cell=2&neighbours=replace",
    "/A_series?section=ranges&epsilon=10&in_periods=3&per_total=2",
    "/A_survey",
    "/A_survey?method=randomized_response&n_options=2&epsilon=0.1&n_people=2000",
    "/A_survey?method=hadamard&epsilon=10",
    "/Composition?section=training",
    "/Composition?section=training&solve=noise&epsilon=0.1&delta=1e-3",
    "/Composition?section=training&solve=steps&epsilon=10",
    "/Composition?section=training&batch=60000&noise_multiplier=40",
    "/Composition?section=batching&loader=poisson&noise_multiplier=3",
    "/Composition?section=batching&loader=fixed&noise_multiplier=12&epochs=1",
]
"""Settings of the other pages whose answer is a release."""
_SYMBOL = re.compile("[±ε-ωΑ-Ω₀-₉²√≤≥=<>∞^]")
_NAMES = [*(family.words for family in FAMILIES.values()), "exponential", "permute-and-flip"]
_MECHANISMS = re.compile("|".join(_NAMES), re.IGNORECASE)
CONFIRMED = "contribution=once&fixed=yes&curator=office&others=none"


def stated(setting: str) -> Statements:
    topic, result = at(setting)
    statements = topic.statements_of(result)
    assert statements is not None
    return statements


def texts_of(setting: str) -> tuple[str, ...]:
    return tuple(stated(setting).by_length.values())


def chosen_mechanism(result) -> Mechanism:
    """Return the mechanism that the answer of a page recommends."""
    if isinstance(result, AccuracyResult):
        return recommended_row(result.rows, result.setting).row.chosen
    return result.section_mechanism


def found(pattern: str, text: str) -> tuple[str, ...]:
    match = re.search(pattern, text)
    assert match, text
    return match.groups()


def significant_digits(number: str) -> int:
    return len(re.sub("[.,]", "", number).strip("0"))


def guarantee_in(paper: str) -> tuple[str, str]:
    """Return the ε and the δ that a statement names, "0" for pure ε-DP."""
    epsilon = re.search(r"with ε = ([\d.,e-]*\d)", paper)
    delta = re.search(r"δ = ([\d.e-]+\d)", paper)
    assert epsilon
    assert (delta is None) == ("pure differential privacy" in paper)
    return epsilon[1].replace(",", ""), delta[1] if delta else "0"


@pytest.mark.parametrize("setting", [*RELEASES, *OTHERS])
def test_the_attacker_is_right_for_at_most_as_many_as_any_test_and_hardly_more(setting):
    public, paper, _ = texts_of(setting)
    epsilon, delta = map(float, guarantee_in(paper))
    most = float(tradeoff.bayes_accuracy(tradeoff.epsilon_delta_curve(epsilon, delta), 0.5))
    least, most = share_of_training(setting, most) if "Composition" in setting else (most, most)
    for text in (public, paper):
        guess, total, right, same = (
            int(number.replace(",", ""))
            for number in found(r"right for ([\d,]+) of ([\d,]+) .* most ([\d,]+) of ([\d,]+) on", text)
        )
        assert (guess, same) == (total / 2, total)
        assert ceil(total * least - 1e-9) <= right <= ceil(total * most + 1e-9)
        assert right < total
    assert ("weak protection" in public) == (most > 0.99)


@pytest.mark.parametrize("setting", RELEASES)
def test_the_guarantee_is_that_of_the_page_and_of_the_noise(setting):
    topic, result = at(setting)
    epsilon, delta = guarantee_in(stated(setting).paper)
    mechanism = chosen_mechanism(result)
    assert mechanism.releasable
    assert float(epsilon) >= mechanism.epsilon * (1 - 1e-12)
    assert float(delta) >= mechanism.delta * (1 - 1e-12)
    assert delta == format_input_up(mechanism.delta)
    assert epsilon in {*" ".join(topic.answer_text(result)).split(), shown_epsilon(result)}
    assert f"ε = {epsilon}" in stated(setting).experts
    assert mechanism.theorem in stated(setting).experts


@pytest.mark.parametrize("setting", OTHERS)
def test_epsilon_is_that_of_the_answer_and_delta_that_of_the_page(setting):
    topic, result = at(setting)
    epsilon, delta = guarantee_in(stated(setting).paper)
    answer = " ".join(topic.answer_text(result)).replace(",", "").replace(";", "")
    assert epsilon in {*answer.split(), shown_epsilon(result)}
    assert delta in ("0", format_input_up(result.setting.delta))
    assert f"ε = {epsilon}" in stated(setting).experts.replace(",", "")


def shown_epsilon(result) -> str:
    """Return the ε that was entered."""
    return format_input_up(result.setting.epsilon)


@pytest.mark.parametrize("setting", RELEASES)
def test_the_stated_error_is_exceeded_in_at_most_the_stated_share_of_releases(setting):
    topic, result = at(setting)
    public, paper, experts = texts_of(setting)
    (half_width,) = found(r"within ±([\d.,e-]*\d)", paper)
    assert f"±{half_width}" in " ".join(topic.answer_text(result))
    assert f"±{half_width}" in experts
    joint = re.search(r"all ([\d,]+) published counts are", paper)
    n_cells = int(joint[1].replace(",", "")) if joint else 1
    width = float(half_width.replace(",", ""))
    tail = float(chosen_mechanism(result).tail(width))
    assert tail <= result.setting.significance / n_cells * (1 + 1e-9) or n_cells > 1
    assert 1 - (1 - tail) ** n_cells <= result.setting.significance * (1 + 1e-9)
    if chance := re.search(r"With a chance of (?:at least )?([\d.]+) %, ", public):
        assert tail <= result.setting.significance <= 1 - float(chance[1]) / 100 + 1e-12 or n_cells > 1
    if width:
        short = found(r"within ([\d.,]*\d)", public)[0].replace(",", "")
        assert width <= float(short) <= width * 1.01
        assert significant_digits(short) <= 3


@pytest.mark.parametrize("setting", [*RELEASES, *OTHERS])
def test_the_public_reads_epsilon_of_the_method_once_with_its_conditions_and_no_promise(setting):
    public, paper, experts = texts_of(setting)
    size = r"differential privacy \(epsilon ([\d.,]+)(?: and delta 1 in ([\d,]+))?\) limits"
    under, epsilon, one_in = found(rf"(U.* below, w|W)ith noise drawn as planned, {size}", public)
    assert ("the conditions below" in under) == ("only if" in public or "confirm: " in public)
    assert float(epsilon.replace(",", "")) == float(guarantee_in(paper)[0])
    assert float(guarantee_in(paper)[1]) <= (1 / int(one_in.replace(",", "")) if one_in else 0) * (1 + 1e-12)
    assert all("noise is drawn exactly" in text for text in (paper, experts))
    assert "protects everybody" not in public


def test_the_sample_table_of_the_page_is_called_so_and_an_own_table_is_not():
    own = "/Tables?table=own&contribution=once&fixed=yes&own=a=7;b=2"
    for setting, is_sample in (("/Tables?", True), ("/Tables?table=mildew", True), ("/Tables?table=size", False)):
        assert all(("sample table" in text) == is_sample for text in (stated(setting).public, stated(setting).paper))
    assert all("sample table" not in text for text in texts_of(own))


def test_counts_with_noise_can_be_negative_and_totals_need_not_add_up_where_that_is_so():
    setting = "/Tables?section=release&error=each&mechanism=laplace"
    negative, apart = "can be negative", "totals need not add up"
    for text in texts_of(setting):
        assert negative in text
        assert apart not in text
    for text in texts_of(f"{setting}&margins=2&clipped=on"):
        assert negative not in text
        assert apart in text


@pytest.mark.parametrize("setting", [*RELEASES, *OTHERS])
def test_the_public_reads_no_symbol_and_not_much(setting):
    public, paper, experts = texts_of(setting)
    assert not _SYMBOL.search(public), _SYMBOL.search(public)
    assert not _MECHANISMS.search(public), _MECHANISMS.search(public)
    more = 35 * setting.startswith("/Plan")  # the limit and the noise of each query
    more += 10 * ("beyond the limits" in public)  # which no ± counts
    listed = public.partition("). ")[0] if setting.startswith("/Plan") else ""  # each statistic with its margin
    assert len(public.split()) - len(listed.split()) <= 185 + 10 * ("beyond the limits" in public)
    assert len(paper.split()) <= 260 + more
    assert len(experts.split()) <= 240 + more
    measured = re.sub(r"a chance of at least 66.66 %|\(epsilon [\d.,]+", "", public)  # which are entered, or the page’s
    assert all(significant_digits(number) <= 3 for number in re.findall(r"\d[\d,]*\.\d+", measured))
    assert re.search(r"random (\w+ )*noise (of scale [\d.]+ )?is added|drawn at random", public, re.IGNORECASE)


@pytest.mark.parametrize(
    "setting", ["/Accuracy?query=sum", "/Accuracy?query=own", "/Tables?contribution=limited&per_person=3&per_total=5"]
)
def test_every_condition_is_in_every_text_as_what_is_known_of_it(setting):
    topic, result = at(setting)
    conditions = topic.conditions_of(result)
    assert conditions
    for text, item in product(texts_of(setting), conditions.items):
        before, _, after = text.partition(item.words[:24])
        assert after, (item.words, text)
        is_confirmed = re.search("confirm: |Confirmed: ", before) is not None
        assert is_confirmed == (item.state == "confirmed")
        assert is_confirmed or "only if" in before


@pytest.mark.parametrize(
    "page",
    [
        "/Accuracy?",
        "/Tables?",
        "/Plan?queries=count:5=a&",
        "/Clipping?",
        "/Clipping?section=contributions&",
        "/A_median?",
    ],
)
def test_confirmed_conditions_are_no_if_and_other_releases_are_named(page):
    for text in texts_of(page + CONFIRMED):
        assert "only if" not in text
        assert "If the conditions" not in text
        assert "onfirm" in text
    for text in texts_of(page + CONFIRMED.replace("others=none", "others=some")):
        assert "more is released about the same people" in text


@pytest.mark.parametrize("page", ["/Accuracy?query=sum", "/Tables?", "/Plan?", "/Clipping?", "/A_median?"])
@pytest.mark.parametrize("denied", ["contribution=unlimited", "fixed=no", "fixed=some", "curator=people"])
def test_a_denied_condition_leaves_nothing_to_say(page, denied):
    topic, result = at(f"{page}&{denied}")
    assert topic.statements_of(result) is None
    assert "say" not in topic.answer_buttons(result)
    assert topic.answer_buttons(at(page)[1])["say"] == "Say it"


@pytest.mark.parametrize(
    "setting",
    [
        "/Accuracy?known=accuracy&accuracy=1e-9&query=sum",
        "/Tables?epsilon=0",
        "/Tables?section=table&mechanism=classical&epsilon=3",
        "/Tables?table=own",
        "/Tables?table=own&own=a=1;b=2",
    ],
)
def test_nothing_is_said_where_nothing_can_be_released_or_is_still_asked_for(setting):
    topic, result = at(setting)
    assert topic.statements_of(result) is None
    assert "say" not in topic.answer_buttons(result)


@pytest.mark.parametrize("setting", [*RELEASES, *OTHERS])
def test_what_can_be_said_is_offered(setting):
    topic, result = at(setting)
    assert topic.answer_buttons(result)["say"] == "Say it"


def test_nothing_of_an_own_table_is_said():
    setting = "/Tables?table=own&contribution=once&fixed=yes&own="
    assert texts_of(f"{setting}Zyzzy=8623;b=2") == texts_of(f"{setting}c=1;d=0")
    assert "64" not in stated(f"{setting}a=1;b=2").public


def test_rounding_and_clipping_are_said_and_have_a_program():
    for noise in ("laplace", "analytic", "geometric"):
        setting = f"/Tables?section=release&error=each&mechanism={noise}"
        words = {"rounded": ", rounded to whole numbers", "clipped": ", negative ones as 0"}
        for key, what in words.items():
            is_said = key == "clipped" or noise != "geometric"
            topic, result = at(f"{setting}&{key}=on")
            assert (what in stated(f"{setting}&{key}=on").public) == is_said
            assert what not in stated(setting).public
            assert topic.open_section(result).downloads(result) is not None
    continuous = stated("/Tables?section=release&error=each&mechanism=laplace&rounded=on").public
    assert "below 4 it does not tell" in continuous  # 3 is a whole number that noise below 2.996 can make of 0


def test_rounding_widens_what_is_said_of_noise_that_is_not_whole():
    setting = "/Tables?section=release&mechanism=laplace&error=each"
    assert "within 3 of" in stated(setting).public
    assert "within ±2.996 of" in stated(setting).paper
    rounded = stated(f"{setting}&rounded=on")
    assert "rounded to whole numbers" in rounded.public
    assert "With a chance of at least 95 %, any one published count is within 3 of" in rounded.public
    whole = "/Tables?section=release&mechanism=geometric"
    assert texts_of(f"{whole}&rounded=on") == texts_of(whole)


def test_a_plan_says_what_its_numbers_rest_on():
    alone = stated("/Plan?queries=count:5=a;histogram:9,4=b")
    assert "fixed range" not in alone.public
    assert "different people" not in alone.public
    several = stated("/Plan?queries=sum:200,0,50*A=a;histogram:9,4*A=b;proportion:0.02,1000=c")
    for text in several.by_length.values():
        assert "the statistics of one group are about different people" in text
        assert "ranges, cells and record numbers were fixed in advance" in text
    assert several.public.startswith(
        "Random noise is added to 3 published statistics: a (margin 200); b (4 numbers, margin 9 each); "
        "c (margin 0.02). Values are cut to fixed ranges. "
    )
    assert "a (Sum, values 0 to 50, group A): ±" in several.paper
    sizes = stated("/Plan?queries=count:5=a;table:40,60,6,1*all=b").public
    assert sizes.startswith(
        "Random noise is added to 2 published statistics: a (margin 5); b (60 numbers, margin 40 all at once). "
    )
    assert "Each number alone is within its margin of what is counted in 95 of 100 releases." in sizes
    codes = stated("/Plan?promise=delta&queries=groups:60,3,1=Codes;each:20,36,12,1=Visits").public
    assert "Codes (groups whose noisy count reaches 46.23, each with margin " in codes
    assert "Visits (36 numbers, margin 20 each)" in codes
    assert len(stated("/Plan").public.split()) <= 185


@pytest.mark.parametrize("totals", ["running_totals", "year_to_date", "window", "each"])
def test_a_series_is_named_in_the_singular(totals):
    public = stated(f"/A_series?totals={totals}").public
    assert re.search(
        "before any (running total|total since the start of a year|total of the last .*|number) is", public
    )


@pytest.mark.parametrize(
    "link", ["epsilon=2&prior=0.1", "epsilon=0.3&prior=0.004", "epsilon=3&promise=delta&alpha=0.01"]
)
def test_what_epsilon_means_is_said_with_the_prior_of_the_page(link):
    _, result = at(f"/What_epsilon_means?{link}")
    public, paper, experts = texts_of(f"/What_epsilon_means?{link}")
    assert not _SYMBOL.search(public), _SYMBOL.search(public)
    high = result.range_of_belief[1]
    after, total = found(r"at most ([\d,]+) of ([\d,]+) ", public)
    assert high <= int(after) / int(total.replace(",", "")) <= high + 0.01
    for text in (paper, experts):
        (most,) = found(r"at most ([\d.]+) %", text)
        assert high <= float(most) / 100 <= high * 1.001
    assert all("only if" in text for text in (public, paper, experts))
    assert percent_up(high) in paper


@pytest.mark.parametrize(
    "link", ["", "&cells=23", "&risk=power&noise=gaussian&cells=23", "&risk=reconstruction&noise=dp_sgd"]
)
def test_noise_from_a_risk_is_said_with_its_limit_and_what_its_own_curve_leaves(link):
    _, result = at(f"/Trade-off_curves?section=risk{link}")
    public, paper, experts = texts_of(f"/Trade-off_curves?section=risk{link}")
    noise, setting = result.risk_noise, result.risk_noise.setting
    assert not _SYMBOL.search(public), _SYMBOL.search(public)
    assert all("at most 20 of 100 people" in text for text in (public, paper, experts))
    most = float(tradeoff.bayes_accuracy(noise.curve, 0.5))
    right, total = found(r"at most ([\d,]+) of ([\d,]+) on", public)
    assert most <= int(right.replace(",", "")) / int(total.replace(",", "")) <= most + 0.011
    epsilon, delta = map(float, guarantee_in(paper))
    assert setting.reached(tradeoff.epsilon_delta_curve(epsilon, delta)) >= setting.limit * 0.999
    if setting.noise != "dp_sgd":
        assert setting.half_width(noise.calibration.scale, setting.cells) <= float(found(r"±([\d.]+) of", paper)[0])
    if setting.cells > 1:
        assert float(found(r"one of them is within ±([\d.]+)", paper)[0]) >= setting.half_width(noise.calibration.scale)
    assert format_up(noise.calibration.scale) in paper.partition("\n")[0]  # the noise has its scale


def test_the_noise_of_a_table_is_named_once_with_its_scale():
    statements = stated("/Tables?section=table&contribution=once&fixed=yes")
    assert "each of 64 published counts of the sample table (geometric noise, s = 1)." in statements.paper
