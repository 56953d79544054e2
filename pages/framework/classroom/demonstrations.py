"""The demonstrations of the site, their steps by name, and the parameter that holds the open step."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from pages.framework.classroom.demonstration import Step
from pages.framework.site import site


@cache
def steps_by_name() -> dict[str, Step]:
    """Return every step by its name, such as classical-3."""
    return {
        f"{demonstration.key}-{number}": step
        for demonstration in site().demonstrations
        for number, step in enumerate(demonstration.steps, 1)
    }


@dataclass(frozen=True)
class Demo:
    """The parameter that holds the open step of a demonstration, "none" if none is open."""

    key: str = "demo"
    symbol: str = "demonstration"
    default: str = "none"

    @property
    def allowed(self) -> str:
        """Return the allowed form in words."""
        return "none or the step of a demonstration, such as classical-3"

    def read(self, entry: str) -> str:
        """Return the name of a step or "none"; raise ValueError if there is no such step."""
        if entry != self.default and entry not in steps_by_name():
            raise ValueError(entry)
        return entry


DEMO = Demo()


def address(name: str) -> str:
    """Return the relative link of a step, which leaves out the parameters that the step sets.

    >>> address("classical-3")
    './Gaussian_bounds?demo=classical-3'
    """
    return f"./{steps_by_name()[name].page.path}?{DEMO.key}={name}"


def step_texts(name: str, path: str, defaults: Mapping[str, str]) -> dict[str, str]:
    """Return the texts of a page's parameters at a step, given their defaults; none if the step is of another page."""
    step = steps_by_name().get(name)
    return {} if step is None or step.page.path != path else {**defaults, **step.entries}


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
        "text": step.sentence(),
        "quiz": _quiz_record(step),
    }


def _quiz_record(step: Step) -> dict[str, Any] | None:
    """Return the quiz of a step as JSON for the browser; None if it has none."""
    quiz = step.quiz and step.quiz()
    if quiz is None:
        return None
    return {"question": quiz.question, "choices": [choice.words for choice in quiz.choices], "right": quiz.right}
