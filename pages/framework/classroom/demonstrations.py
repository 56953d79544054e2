"""The steps of the demonstrations as the browser gets them."""

from functools import cache
from typing import Any

from pages.framework.link import DEMO, PRESENT, steps_by_name
from pages.framework.site import Step, site


def address(name: str) -> str:
    """Return the relative link of a step, which leaves out the parameters that the step sets.

    >>> address("classical-3")
    './Gaussian_bounds?demo=classical-3'
    """
    return f"./{steps_by_name()[name].page.path}?{DEMO.key}={name}"


@cache
def step_description(name: str) -> dict[str, Any]:
    """Return a step as JSON for the browser: its number, its sentence, its quiz, and the links of all steps."""
    key, _, place = name.rpartition("-")
    demonstration = next(item for item in site().demonstrations if item.key == key)
    step = steps_by_name()[name]
    return {
        "key": name,
        "title": demonstration.title,
        "place": int(place),
        "links": [address(f"{key}-{item}") for item in range(1, len(demonstration.steps) + 1)],
        "classroom": f"./{site().classroom}&{DEMO.key}={DEMO.default}&{PRESENT.key}={PRESENT.default}",
        "text": step.sentence(),
        "quiz": _quiz_record(step),
    }


def _quiz_record(step: Step) -> dict[str, Any] | None:
    """Return the quiz of a step as JSON for the browser; None if it has none."""
    quiz = step.quiz and step.quiz()
    if quiz is None:
        return None
    return {"question": quiz.question, "choices": [choice.words for choice in quiz.choices], "right": quiz.right}
