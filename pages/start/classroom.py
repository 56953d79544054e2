"""The demonstrations on the start page: the contents of each, and a link to each of its steps."""

from pages.framework.classroom import demonstrations
from pages.framework.site import Demonstration, site

READING = (
    "Each demonstration has six steps. Each step opens a page at a setting, with a short explanation and a question "
    "about the next step; it takes about two minutes without discussion. **← and →**, or the page keys of a "
    "presenter’s remote control, change the step. **1, 2, 3** or a tap answers the question, and **Escape** leaves. "
    "You can change any parameter in between; **Back to the step** returns. The QR code opens the step on the phones "
    "of the class."
)


def links_text() -> str:
    """Return links to the first step of each demonstration, in Markdown."""
    items = [f"- {_first_step_link(demonstration, demonstration.title)}" for demonstration in site().demonstrations]
    return "\n".join(("## For a class", "", "Two minutes each, with a question before each step:", "", *items))


def demonstration_text(demonstration: Demonstration) -> str:
    """Return all steps of a demonstration, each after its question, in Markdown."""
    names = [f"{demonstration.key}-{number}" for number, _ in enumerate(demonstration.steps, 1)]
    descriptions = [demonstrations.step_description(name) for name in names]
    questions = ["", *(f"*{description['quiz']['question']}* " for description in descriptions[:-1])]
    steps = [
        f"{record['place']}. [{step.page.name}]({demonstrations.address(record['key'])}): {question}{record['text']}"
        for step, record, question in zip(demonstration.steps, descriptions, questions, strict=True)
    ]
    start = f"{_first_step_link(demonstration, 'Present it')}, or open a step here:"
    return "\n\n".join((f"## {demonstration.title}", demonstration.about, start, "\n".join(steps)))


def _first_step_link(demonstration: Demonstration, words: str) -> str:
    return f"[{words}]({demonstrations.address(f'{demonstration.key}-1')}&present=on)"
