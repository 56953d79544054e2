"""The four conditions of a release: the share of one person, what was fixed, who adds the noise, other releases.

Every page that recommends noise has these parameters, and they travel from page to page like ε. A page says in words
what it assumes (`Subject`); the framework shows the conditions with the answer, and asks for the first two before the
first answer on the user's own data.
"""

from dataclasses import dataclass

from pages.framework.layout.section import Condition, Conditions, Done, Field, Fields
from pages.framework.parameters.kinds import Choice
from pages.framework.parameters.parameter import Parameter, Values

CONTRIBUTION = Choice(
    "contribution",
    "what one person can change",
    {
        "unknown": "Not checked",
        "once": "Once",
        "limited": "Up to a limit",
        "unlimited": "Without a limit",
        "entering": "Up to a limit that is being entered",
    },
    "unknown",
)
LIMITED = "limited", "entering"
"""The choices of people who count more often than once, up to a limit: it is stated, or still being entered."""
CATEGORIES = Choice(
    "fixed",
    "what was fixed in advance",
    {"unknown": "Not checked", "yes": "Yes", "some": "Some", "no": "No"},
    "unknown",
)
CURATOR = Choice(
    "curator",
    "who adds the noise",
    {"unknown": "Not checked", "office": "A trusted office", "people": "Each person"},
    "unknown",
)
OTHERS = Choice(
    "others",
    "other releases",
    {"unknown": "Not checked", "none": "None", "yearly": "Every year", "some": "Some"},
    "unknown",
)
_MORE = "some", "yearly"
"""The choices of more releases about the same people, which add to this one."""
CONDITION_PARAMETERS: tuple[Parameter, ...] = (CONTRIBUTION, CATEGORIES, CURATOR, OTHERS)
REOPENED = {CONTRIBUTION.key: {"limited": "entering"}}
"""What a confirmation becomes when its sentence changes: another limit is one that is being entered."""
ONCE = "each person counts once"
CATEGORIES_FIXED = "the categories were fixed in advance"
BOUNDS_FIXED = "the bounds were fixed in advance"
_OFFICE, _ALONE = "a trusted office adds the noise", "nothing else is released about them"
_EACH, _ASKED = "each person adds noise of their own", "nothing else is asked of them"
_EACH_ON_DEVICE = "each person adds the noise on their own device"
REQUEST = (
    "Two questions before the answer.",
    "The noise depends on how often one person counts, and no noise protects people if the data chose the categories "
    "or bounds.",
)
_ONE_QUESTION = "One question before the answer."
_CHECK_LIMIT = "Check the limit, then confirm it."
_WHY_LIMIT = "The noise depends on how often one person counts."
_WHY_FIXED = "No noise protects people if the data chose the categories or bounds."
_ONE_RECORD = "one record is protected, and a person can have several"
_EXCEEDED = "in this file, somebody counts more often than you allow"
_SAY_THE_LIMIT = (
    "Enter the whole limit that is enforced on one person: how much in all, or else in how many cells or periods and "
    "how often in each. The number in all is the limit of both until you lower them."
)


@dataclass(frozen=True)
class Subject:
    """What the conditions of a page are about, in its words.

    `limit` is what one person can change as the setting has it, such as "each person counts once", `headline_limit` the
    same where the headline and the menu have no room for it, and `has_limit` says that it is another one; `is_exceeded`
    says that the records show more than that, `enforced` says when it is enforced, and `unlimited` is the same where
    there is no limit. With `confirmed`, the words that confirm the limit of the setting, no other one can be chosen.
    `fixed` is what must be fixed in advance, and `headline_fixed` the same where there is no room for it; `from_data`
    is the same where it was not, `question` asks for it, `some` answers that only some of it was, `risk` is what it
    reveals, and `remedy` what to do. `limit_remedy` is what to do without a limit, and `local` where each person adds
    the noise. Each remedy ends in the words before the answer that the page would then have. The
    headline names what was not confirmed: what must be fixed only where `is_fixed_in_headline`. Without
    `can_have_limit` the page has no answer for people who count more than once. `is_local` is an answer for noise that
    each person adds, and not for an office; with `has_office` too the page has an answer for both. With
    `note_from_data`, a sentence on what may come from the data, nothing needs to be fixed in advance; `note` is any
    other sentence. With `is_per_record` the answer is for one record, and is a person's where each person has one. The
    first sentence ends in `assumption` too. At `total_address` this release is found with others, as a list. `release`
    is what the answer counts.
    """

    limit: str = ONCE
    headline_limit: str = ""
    has_limit: bool = False
    is_exceeded: bool = False
    enforced: str = "that is enforced"
    unlimited: str = "nobody limits how often a person counts"
    confirmed: str = ""
    fixed: str = CATEGORIES_FIXED
    headline_fixed: str = ""
    from_data: str = "the categories come from the data"
    question: str = "Were these categories fixed before anybody looked at the data?"
    risk: str = "the list of categories comes from the data, and a category that appears reveals that somebody is in it"
    remedy: str = (
        "Publish a fixed list, with those categories that nobody is in, and one cell “other” for all that is not on "
        "it. With a fixed list:"
    )
    limit_remedy: str = (
        "Before anything is counted, keep at most a fixed number of records of each person, chosen at random. "
        "If {limit}:"
    )
    local: str = "Noise that each person adds before answering makes far larger errors. If an office adds the noise:"
    some: str = "Some were fixed, some come from the data"
    is_fixed_in_headline: bool = True
    can_have_limit: bool = True
    is_local: bool = False
    has_office: bool = False
    note_from_data: str = ""
    note: str = ""
    is_per_record: bool = False
    assumption: str = ""
    total_address: str = "./Composition"
    release: str = "this release"


BOUNDS = Subject(
    fixed=BOUNDS_FIXED,
    from_data="the bounds come from the data",
    question="Were the bounds fixed before anybody looked at the data?",
    risk="bounds that come from the data reveal the most extreme people",
    remedy="Take bounds from public knowledge, or have [a private search](./Clipping) choose them with a part of ε. "
    "With fixed bounds:",
)
QUESTION = Subject(
    fixed="what is computed was decided in advance",
    from_data="what is computed was chosen from the data",
    question="Was it decided before anybody looked at the data what is computed?",
    risk="what is computed was chosen by looking at the data, so the choice reveals something about people",
    remedy="Decide what to compute before you look at the data. Then:",
    is_fixed_in_headline=False,
)


def condition_values(values: Values) -> Values:
    """Return the values of the parameters of the conditions."""
    return {parameter.key: values[parameter.key] for parameter in CONDITION_PARAMETERS}


def has_other_releases(values: Values) -> bool:
    """Return whether more is released about the same people: their total is larger than the ε of this release."""
    return values[OTHERS.key] in _MORE


def satisfied_text(values: Values, guarantee: str) -> str:
    """Return which guarantee a release satisfies, as a part of a sentence: where there are others, not all of them.

    >>> satisfied_text({"others": "some"}, "ε-DP")
    'if the other conditions hold, this release satisfies ε-DP, and the total ε is larger'
    """
    if has_other_releases(values):
        return f"if the other conditions hold, this release satisfies {guarantee}, and the total ε is larger"
    return f"if the conditions hold, this satisfies {guarantee}"


def release_conditions(
    values: Values,
    subject: Subject,
    *,
    limits: tuple[Field | Parameter, ...] = (),
    data: tuple[Field | Parameter, ...] = (),
    is_own: bool = False,
) -> Conditions:
    """Return the conditions of an answer at the values of a page.

    `is_own` says that the answer is about the user's own data: then the first two conditions are asked for, with
    `limits`, the fields of the limit on one person, where there is one, and `data`, those that choose the data.
    """
    contribution, fixed = values[CONTRIBUTION.key], values[CATEGORIES.key]
    is_limit_missing = contribution in LIMITED and not subject.has_limit and subject.can_have_limit
    is_entering = is_limit_missing or (contribution == "entering" and subject.can_have_limit)
    is_fixed_missing = fixed == "unknown" and not subject.note_from_data
    is_open = is_own and (contribution == "unknown" or is_fixed_missing or is_entering)
    is_limit_given = is_entering and not is_limit_missing
    done = Done(CONTRIBUTION, "limited", "That is the whole limit")
    questions = _questions(subject, contribution, limits, data, done if is_limit_given else None)
    two = is_fixed_missing and (contribution == "unknown" or is_entering)
    first = REQUEST[0] if two else _ONE_QUESTION
    request = REQUEST if two else (first, _WHY_LIMIT if contribution == "unknown" else _WHY_FIXED)
    if is_limit_given:
        entered = f"The limit as entered: {subject.limit}. All of it must be enforced before anything is counted."
        request = first if is_fixed_missing else _CHECK_LIMIT, entered
    elif is_entering:
        request = first, _SAY_THE_LIMIT
    notes = subject.note_from_data, subject.note, *_notes(values, subject)
    return Conditions(
        *(_items(values, subject), _qualifier(values, subject), _refusal(values, subject)),
        *(" ".join(filter(None, notes)), questions if is_open else (), request),
    )


def _is_unlimited(values: Values, subject: Subject) -> bool:
    """Return whether one person can change more than the page can answer for."""
    choice = values[CONTRIBUTION.key]
    return choice == "unlimited" or (choice in LIMITED and not subject.can_have_limit)


def _has_several_records(values: Values, subject: Subject) -> bool:
    """Return whether the answer is for one record of a person who can have several."""
    return subject.is_per_record and values[CONTRIBUTION.key] in (*LIMITED, "unlimited")


def _contribution_state(values: Values, subject: Subject) -> str:
    choice = values[CONTRIBUTION.key]
    if _has_several_records(values, subject):
        return "confirmed"
    if _is_unlimited(values, subject) or (choice != "unknown" and subject.is_exceeded):
        return "denied"
    return "confirmed" if choice == "once" or (choice == "limited" and subject.has_limit) else "assumed"


def _limit_text(values: Values, subject: Subject) -> str:
    if _has_several_records(values, subject):
        return _ONE_RECORD
    if _is_unlimited(values, subject):
        return subject.unlimited
    return _EXCEEDED if _contribution_state(values, subject) == "denied" else subject.limit


def _items(values: Values, subject: Subject) -> tuple[Condition, ...]:
    fixed, curator, others = (values[parameter.key] for parameter in (CATEGORIES, CURATOR, OTHERS))
    state = _contribution_state(values, subject)
    names = {"unknown": f"Not checked: if {subject.headline_limit or subject.limit}"} | _limit_names(values, subject)
    entering = {"entering": _CHANGED} if subject.confirmed else _ENTERING
    names |= entering if values[CONTRIBUTION.key] == "entering" else {}
    items = [Condition(CONTRIBUTION, _limit_text(values, subject), state, names)]
    if not subject.note_from_data:
        words = subject.from_data if fixed in ("some", "no") else subject.fixed
        items.append(Condition(CATEGORIES, words, _state(fixed, "yes"), _fixed_names(subject)))
    alone = _ASKED if subject.is_local else _ALONE
    more = {"yearly": f"the same is {'asked' if subject.is_local else 'released'} every year"}
    more["some"] = "more is released about the same people"
    answers = {
        "unknown": f"Not checked: if {alone}",
        "none": f"Yes: {_ASKED if subject.is_local else 'nothing else is released about these people'}",
        **{choice: f"No: {words}" for choice, words in more.items()},
    }
    others_item = Condition(OTHERS, more.get(others, alone), _state(others, "none"), answers)
    return *items, _curator_item(curator, subject), others_item


def _limit_names(values: Values, subject: Subject) -> dict[str, str]:
    """Return the answers on the limit: with words that confirm it, one for it, by the choice that links have for it."""
    if subject.confirmed:
        choice = values[CONTRIBUTION.key]
        known = choice if choice in ("once", "limited") else "limited" if subject.headline_limit else "once"
        return {known: subject.confirmed, "unlimited": f"No: {subject.unlimited}"}
    names = _BY_RECORD if subject.is_per_record else _BY_PERSON
    return {key: name.format(enforced=subject.enforced) for key, name in names.items()}


def _state(choice: str, *confirmed: str) -> str:
    """Return the state of a condition by the choice that is made, of which these confirm it."""
    return "assumed" if choice == "unknown" else "confirmed" if choice in confirmed else "denied"


def _curator_item(curator: str, subject: Subject) -> Condition:
    """Return who adds the noise: the office, or the people where the answer is for them."""
    if subject.is_local:
        trusted, words, other = "people", _EACH_ON_DEVICE, _OFFICE
        office = "No: an office collects the true answers and adds the noise"
        people = "Yes: on their own device, before it is sent"
    else:
        trusted, words, other = "office", _OFFICE, _EACH
        office = "Yes: a trusted office holds the data and adds the noise"
        people = "No: each person adds noise before sending an answer"
    state = _state(curator, trusted, *(("office",) if subject.has_office else ()))
    names = {"unknown": f"Not checked: if {words}", "office": office, "people": people}
    return Condition(CURATOR, words if curator in ("unknown", trusted) else other, state, names)


_BY_RECORD = {
    "once": "Each person has one record",
    "limited": "A person can have several records, up to a limit",
    "unlimited": "A person can have several records",
}
_BY_PERSON = {
    "once": "No person counts more than once",
    "limited": "A person can count more often, up to a limit {enforced}",
    "unlimited": "A person can count more often, without a limit",
}
_CHANGED = "Changed: not confirmed yet"
_ENTERING = {"entering": "A person can count more often, up to a limit that is not confirmed"}


def _fixed_names(subject: Subject) -> dict[str, str]:
    return {
        "unknown": f"Not checked: if {subject.headline_fixed or subject.fixed}",
        "yes": "Yes: fixed before anybody looked at the data",
        "some": subject.some,
        "no": "No: taken from the data",
    }


def _questions(
    subject: Subject,
    contribution: str,
    limits: tuple[Field | Parameter, ...],
    data: tuple[Field | Parameter, ...],
    done: Done | None,
) -> tuple[Fields, ...]:
    """Return the questions; a limit that has fields is stated by the button `done` below them."""
    limited = contribution if contribution in LIMITED else "entering" if limits else "limited"
    limits = limits if contribution in LIMITED else ()
    once = {"unknown": "", "once": "No, once at most", limited: f"Yes, up to a limit {subject.enforced}"}
    once |= {"unlimited": "Yes, and nobody limits it"}
    asked = Field(CONTRIBUTION, "Can one person count more than once here?", options=once, is_question=True)
    if subject.note_from_data:
        return Fields((asked, *limits), done), *((Fields(data),) if data else ())
    fixed = Field(CATEGORIES, subject.question, options=_fixed_names(subject), is_question=True)
    return Fields((asked, *limits), done), Fields((fixed, *data))


def _qualifier(values: Values, subject: Subject) -> str:
    """Return the assumption and unconfirmed conditions as the end of a sentence, and that other releases add up."""
    parts = [subject.assumption] if subject.assumption else []
    parts += [subject.headline_limit or subject.limit] if _contribution_state(values, subject) == "assumed" else []
    is_fixed_named = subject.is_fixed_in_headline and not subject.note_from_data
    parts += [subject.headline_fixed or subject.fixed] if values[CATEGORIES.key] == "unknown" and is_fixed_named else []
    parts = [", ".join(parts[:-1]), parts[-1]] if len(parts) > 2 else parts
    joint = ", and " if any(" and " in part or ", " in part for part in parts) else " and "
    record = ", for one record" if _has_several_records(values, subject) else ""
    qualifier = f"{record}, if {joint.join(parts)}" if parts else record
    return f"{qualifier}, for {subject.release} alone" if has_other_releases(values) else qualifier


def _refusal(values: Values, subject: Subject) -> tuple[str, str] | None:
    """Return why there is no guarantee and what to do, where a condition is denied; None where none is."""
    if values[CURATOR.key] == "office" and subject.is_local and not subject.has_office:
        return (
            "This answer does not apply: it is for people who add the noise on their own devices.",
            "An office that holds the true answers and adds the noise once makes far smaller errors: "
            "[One number](./Accuracy) and [A table](./Tables) have them. If each person adds the noise:",
        )
    if values[CURATOR.key] == "people" and not subject.is_local:
        reason = "it is for a trusted office that holds the data and adds the noise once"
        return f"This answer does not apply: {reason}.", subject.local
    if _contribution_state(values, subject) == "denied":
        remedy = subject.limit_remedy.format(limit=subject.limit)
        return f"No privacy guarantee: {_limit_text(values, subject)}.", remedy
    if values[CATEGORIES.key] in ("some", "no") and not subject.note_from_data:
        return f"No privacy guarantee: {subject.risk}.", subject.remedy
    return None


def _notes(values: Values, subject: Subject) -> list[str]:
    notes = ["A person with several records is protected less."] if _has_several_records(values, subject) else []
    if has_other_releases(values):
        total = f"add up: find [their total]({subject.total_address})"
        notes.append(
            f"The releases of all years {total}, with a run of the list for each year."
            if values[OTHERS.key] == "yearly"
            else f"All releases about the same people {total}, which is what protects them."
        )
    return notes
