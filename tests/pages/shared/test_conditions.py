import pytest

from pages.composition.parameters import batching_conditions, training_conditions
from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.page import NO_GUARANTEE, under_conditions
from pages.framework.layout.section import Field
from pages.shared.conditions import CONDITION_PARAMETERS, REQUEST, Subject, release_conditions
from pages.shared.looks import COLOURS
from tests.pages.conftest import ask, found_by, link_of, open_page, text_of, topic_named

VALUES = {parameter.key: parameter.default for parameter in CONDITION_PARAMETERS}
CONFIRMED = {"contribution": "once", "fixed": "yes", "curator": "office", "others": "none"}
VISITS = ";".join(f"c{place}={place}" for place in range(1, 61))


def conditions_at(**choices):
    return release_conditions(VALUES | choices, Subject())


@pytest.mark.parametrize(
    ("choices", "qualifier"),
    [
        ({}, ", if each person counts once and the categories were fixed in advance"),
        ({"contribution": "once"}, ", if the categories were fixed in advance"),
        ({"fixed": "yes"}, ", if each person counts once"),
        (CONFIRMED, ""),
        (CONFIRMED | {"others": "some"}, ", for this release alone"),
        (CONFIRMED | {"others": "yearly"}, ", for this release alone"),
    ],
)
def test_the_headline_has_the_conditions_on_the_data_that_nobody_confirmed(choices, qualifier):
    assert conditions_at(**choices).qualifier == qualifier


@pytest.mark.parametrize(
    ("choices", "reason"),
    [
        ({"contribution": "unlimited"}, "nobody limits how often a person counts"),
        ({"fixed": "no"}, "comes from the data"),
        ({"fixed": "some"}, "comes from the data"),
        ({"curator": "people"}, "trusted office"),
    ],
)
def test_a_denied_condition_stands_in_the_place_of_the_answer(choices, reason):
    conditions = conditions_at(**CONFIRMED | choices)
    assert conditions.refusal is not None
    assert reason in conditions.refusal[0]
    assert conditions.lead == "Conditions:"
    assert conditions.sentence.count("not met") == 1


def test_the_sentence_of_files_says_what_was_confirmed_and_what_is_assumed():
    assert conditions_at(**CONFIRMED).sentence.startswith("You confirmed: each person counts once; ")
    assert conditions_at().sentence.count("(assumed)") == 4
    assert conditions_at().sentence.startswith("Holds only if")


@pytest.mark.parametrize(
    ("others", "said", "note"),
    [
        ("yearly", "the same is released every year", "The releases of all years add up"),
        ("some", "more is released about the same people", "All releases about the same people add up"),
    ],
)
def test_more_releases_are_told_by_what_they_are_to_all_who_read_of_the_answer(others, said, note):
    conditions = conditions_at(**CONFIRMED | {"others": others})
    assert conditions.refusal is None
    assert f"{said} (not met)" in conditions.sentence
    assert conditions.note.startswith(f"{note}: find [their total](./Composition)")
    stated = topic_named("tables").statements_of(found_by("tables", **CONFIRMED | {"others": others}))
    assert stated is not None
    assert f"But {said}: all of it together can tell more" in stated.public
    assert f"Not met: {said}." in stated.experts


def test_a_limit_that_is_no_limit_is_not_confirmed():
    (contribution, *_) = conditions_at(contribution="limited").items
    assert contribution.state == "assumed"
    limited = Subject(limit="each person is in at most 3 cells", has_limit=True)
    (contribution, *_) = release_conditions(VALUES | {"contribution": "limited"}, limited).items
    assert contribution.state == "confirmed"


def answer_of(**link):
    return " ".join(topic_named("tables").answer_text(found_by("tables", **link)))


def own(**link):
    return answer_of(table="own", own=VISITS, **link)


def test_a_table_of_visits_is_answered_after_the_questions_with_the_limit_of_a_person():
    page, result = topic_named("tables"), found_by("tables", table="own", own=VISITS)
    assert page.answer_text(result) == REQUEST
    assert page.open_section(result).exhibits == ()
    assert page.answer_buttons(result) == {}
    assert "±" not in own(contribution="once") + own(fixed="yes") + own(contribution="limited", fixed="yes")
    assert "±28 for all 60 cells, ±12 for one cell" in own(contribution="limited", fixed="yes", per_cell="4")
    assert "±7 for all 60 cells" in own(contribution="once", fixed="yes", per_cell="4", per_person="3")


def form_of(**link):
    page, result = topic_named("tables"), found_by("tables", **{"table": "own", "own": VISITS, "fixed": "yes"} | link)
    conditions = page.conditions_of(result)
    assert conditions is not None
    return " ".join(page.answer_text(result)), conditions, result.setting


def test_a_limit_is_stated_by_its_button_and_not_by_its_first_number():
    answer, conditions, _ = form_of(contribution="entering", per_person="4")
    assert answer.startswith(
        "Check the limit, then confirm it. The limit as entered: each person is in at most 4 cells, "
    )
    assert "at most once in each" in answer
    assert "±" not in answer
    done = conditions.questions[0].done
    assert done is not None
    assert (done.parameter.key, done.text, done.name) == ("contribution", "limited", "That is the whole limit")
    assert "at most 4 cells, at most once in each (assumed)" in conditions.sentence
    answer, conditions, _ = form_of(contribution="limited", per_person="4")
    assert "±" in answer
    assert "each person is in at most 4 cells, at most once in each (confirmed)" in conditions.sentence


def test_the_button_of_the_limit_has_one_name_and_years_are_no_question_for_a_table_of_one():
    for fixed in ("yes", "unknown"):
        for years, is_asked in (("1", False), ("3", True)):
            entered = {"contribution": "entering", "per_total": "4", "n_periods": years, "fixed": fixed}
            question = form_of(**entered)[1].questions[0]
            assert question.done is not None
            assert question.done.name == "That is the whole limit"
            fields = [item.parameter.key for item in question.fields if isinstance(item, Field)]
            assert ("n_periods" in fields) is is_asked


@pytest.mark.parametrize("choice", ["limited", "entering"])
def test_without_any_number_the_limit_is_asked_for_that_in_all_first(choice):
    answer, conditions, _ = form_of(contribution=choice)
    assert "Enter the whole limit" in answer
    assert conditions.questions[0].done is None
    fields = [item for item in conditions.questions[0].fields if isinstance(item, Field)]
    assert [item.parameter.key for item in fields] == ["contribution", "per_total", "per_person", "per_cell"]
    assert fields[0].options is not None
    assert "limited" not in fields[0].options  # a number alone never closes the questions
    once = form_of(contribution=choice, per_total="1")[1]
    assert once.questions[0].done is None


@pytest.mark.parametrize(
    ("entered", "used"),
    [
        ({"per_total": "4"}, (4, 4)),
        ({"per_total": "4", "n_periods": "3"}, (12, 4)),
        ({"per_total": "6", "per_person": "4", "per_cell": "4"}, (6, 6)),  # as N is dragged
        ({"per_total": "4", "n_periods": "3", "per_person": "4", "per_cell": "4"}, (12, 4)),
        ({"per_total": "4", "per_person": "4"}, (4, 1)),
        ({"per_total": "4", "per_person": "2", "per_cell": "4"}, (2, 4)),
        ({"per_total": "3", "per_person": "9", "per_cell": "5"}, (3, 3)),
        ({"per_person": "9", "per_cell": "5"}, (9, 5)),
    ],
)
def test_cells_and_most_in_one_follow_from_the_limit_in_all_until_they_are_lowered(entered, used):
    setting = form_of(contribution="entering", **entered)[2]
    assert (setting.per_person, setting.per_cell) == used


def test_a_limit_in_all_alone_is_not_taken_for_people_who_count_once():
    """Accuracy takes N = 4 along to Tables, where k = 1 and c = 1 give the noise of one count."""
    only_in_all = {"contribution": "limited", "fixed": "yes", "per_total": "4", "n_periods": "3"}
    answer, conditions, setting = form_of(**only_in_all)
    assert "The limit as entered: each person is in at most 12 cells of all 3 years together and adds at most" in answer
    assert "to each, at most 4 in each of 3 years." in answer
    assert conditions.items[0].state == "assumed"
    assert (setting.per_person, setting.per_cell) == (12, 4)
    twelve = own(**only_in_all, per_person="12", per_cell="4")
    assert "±85 for all 60 cells, ±36 for one cell" in twelve
    assert "±85 for all 60 cells, ±36 for one cell" in own(contribution="limited", fixed="yes", per_cell="12")
    assert "if each person counts once and" in answer_of(contribution="limited", per_total="4")
    assert "if each person is in at most 4 cells and adds at most 4 to each, at most 4 in all, and" in answer_of(
        contribution="entering", per_total="4"
    )


def test_what_followed_from_the_limit_in_all_stays_when_one_of_both_is_lowered():
    link = {"table": "own", "own": "North=12;South=3", "fixed": "yes", "contribution": "entering"}
    app = open_page("pages/6_Tables.py", **link)
    for key, text in (("per_total", "2"), ("per_total", "4"), ("per_cell", "1"), ("contribution", "limited")):
        ask(app, set={key: text})
    reached = link_of(app)
    assert [reached[key] for key in ("per_person", "per_cell", "per_total")] == ["4", "1", "4"]
    assert "each person is in at most 4 cells, at most once in each, at most 4 in all" in text_of(app)


def test_a_list_of_codes_from_the_data_gets_no_claim_and_ways_out():
    answer = own(contribution="once", fixed="no")
    assert answer.startswith("No privacy guarantee: the list of categories comes from the data")
    assert "satisfies" not in answer
    assert "one cell “other”" in answer
    result = found_by("tables", table="own", own=VISITS, contribution="once", fixed="no")
    assert topic_named("tables").claims_of(result) == topic_named("tables").snippets_of(result) == ()


@pytest.mark.parametrize(
    ("topic", "section"),
    [
        ("tables", "noise"),
        ("tables", "table"),
        ("accuracy", "accuracy"),
        ("plan", "queries"),
        ("clipping", "sum"),
        ("clipping", "contributions"),
        ("tradeoff", "risk"),
    ],
)
def test_where_a_condition_is_denied_all_below_the_lead_picture_is_said_to_be_no_guarantee(topic, section):
    for choices in (
        {"contribution": "unlimited"},
        {"fixed": "no"},
        {"curator": "people"},
        {"others": "yearly"},
        {"others": "some"},
        {},
    ):
        result = found_by(topic, section=section, **choices)
        parts = list(topic_named(topic).open_section(result).parts(result, COLOURS["light"]))
        conditions = topic_named(topic).conditions_of(result)
        assert conditions is not None
        is_denied = conditions.refusal is not None
        assert is_denied == bool(choices.keys() - {"others"})
        assert [place for place, part in enumerate(parts) if part == NO_GUARANTEE] == [1] * is_denied


def test_conditions_that_have_an_and_of_their_own_are_joined_by_a_comma():
    subject = Subject(limit="each person is in at most 3 cells and adds at most 2 to each", has_limit=True)
    assert release_conditions(VALUES, subject).qualifier == (
        ", if each person is in at most 3 cells and adds at most 2 to each, and the categories were fixed in advance"
    )


def test_every_exhibit_names_the_conditions_in_its_file():
    page, result = topic_named("tables"), found_by("tables")
    section = under_conditions(page.section_by_key["noise"], result)
    headers = [part.header for part in section.parts(result, COLOURS["light"]) if isinstance(part, Exhibit)]
    assert headers
    assert all("each person counts once (assumed)" in header["conditions"] for header in headers)


TRAININGS = {"training": training_conditions, "batching": batching_conditions}


def conditions_of_training(section, **link):
    conditions = TRAININGS[section](found_by("composition", section=section, **link))
    assert conditions is not None
    return conditions


@pytest.mark.parametrize(
    ("section", "choices", "qualifier"),
    [
        ("training", {}, ", if the batches are Poisson and each person has one record"),
        ("training", {"contribution": "once"}, ", if the batches are Poisson"),
        ("training", {"contribution": "unlimited"}, ", for one record, if the batches are Poisson"),
        ("training", {"contribution": "once", "batch": "60000"}, ""),
        ("training", {"contribution": "once", "batches": "poisson"}, ""),
        ("batching", {"loader": "poisson"}, ", if each person has one record"),
        ("batching", {"contribution": "limited"}, ", for one record"),
    ],
)
def test_the_epsilon_of_a_training_says_whose_it_is_and_how_batches_must_be_drawn(section, choices, qualifier):
    assert conditions_of_training(section, **choices).qualifier == qualifier


def test_poisson_batches_are_a_condition_of_a_training_with_the_way_to_draw_them():
    assumed = conditions_of_training("training")
    assert assumed.sentence.startswith("Holds only if the batches are drawn at random (Poisson) (assumed);")
    assert "DPDataLoader" in assumed.items[0].options["poisson"]
    assert conditions_of_training("training", batches="poisson").items[0].state == "confirmed"
    shuffled = conditions_of_training("training", batches="other")
    assert shuffled.items[0].state == "denied"
    assert shuffled.refusal is not None
    assert "[take the ε of your loader](./Composition?" in shuffled.refusal[1]
    assert "training_view=batching" in shuffled.refusal[1]
    for other in (conditions_of_training("training", batch="60000"), conditions_of_training("batching")):
        assert all(item.parameter.key != "batches" for item in other.items)


@pytest.mark.parametrize("section", TRAININGS)
@pytest.mark.parametrize("choice", ["limited", "unlimited"])
def test_people_with_several_records_leave_a_training_its_guarantee_for_one_record(section, choice):
    conditions = conditions_of_training(section, contribution=choice)
    assert conditions.refusal is None
    assert "one record is protected, and a person can have several (confirmed)" in conditions.sentence
    several = "A person with several records is protected less."
    assert conditions.note.endswith(several)
    assert ("zero-out" in conditions.note) == (section == "batching")
    statements = (
        topic_named("composition")
        .section_by_key["training"]
        .statements(found_by("composition", section=section, contribution=choice))
    )
    assert statements is not None
    assert "The unit of privacy is one record" in statements.paper
    assert several in statements.experts


@pytest.mark.parametrize("section", TRAININGS)
def test_trainings_that_chose_the_settings_and_are_not_counted_leave_no_guarantee(section):
    conditions = conditions_of_training(section, fixed="no")
    assert conditions.refusal is not None
    assert conditions.refusal[0].startswith("No privacy guarantee: trainings on these data chose the settings")


def test_a_target_that_no_training_meets_has_no_conditions():
    assert training_conditions(found_by("composition", section="training", solve="steps", epsilon="1e-9")) is None


@pytest.mark.parametrize("section", TRAININGS)
def test_every_condition_of_a_statement_stands_with_the_answer_of_a_training_and_in_its_report(section):
    page, result = topic_named("composition"), found_by("composition", section=section)
    conditions, statements = page.conditions_of(result), page.statements_of(result)
    assert conditions is not None
    assert statements is not None
    for words in (*(item.words for item in conditions.items), *conditions.assumptions):
        assert f"{words} (assumed)" in page.conditions_text(result)
        assert words.replace("about them", "about these people") in statements.experts
    assert any("every training" in words for words in conditions.assumptions)
    assert any("influence is limited" in words for words in conditions.assumptions)
