"""The demonstrations on the start page: what each shows, and a link to each of its steps."""

from pages.framework.classroom import demonstrations
from pages.framework.classroom.demonstration import Demonstration
from pages.framework.site import site

READING = (
    "Each demonstration is six settings of the pages, with a sentence on each and a question before what comes next: "
    "about two minutes without talking. **← and →** go from step to step, as do the page keys of a presenter's remote "
    "control; **1, 2, 3** or a tap answer the question; **Escape** leaves. Move any parameter in between, and **Back "
    "to the step** returns. The QR code opens the step on the phones of the class."
)


def short() -> str:
    """The demonstrations as links to their first steps, in Markdown."""
    listed = [f"- {_first(each, each.title)}" for each in site().demonstrations]
    return "\n".join(("## In front of a class", "", "Two minutes each, with a question before each step:", "", *listed))


def full(demonstration: Demonstration) -> str:
    """A demonstration with all of its steps, each with the question before it, in Markdown."""
    told = [
        demonstrations.step_description(f"{demonstration.key}-{place + 1}") for place in range(len(demonstration.steps))
    ]
    asked = ["", *(f"*{each['quiz']['question']}* " for each in told[:-1])]
    steps = [
        f"{each['place']}. [{step.page.name}]({demonstrations.address(each['key'])}): {question}{each['said']}"
        for step, each, question in zip(demonstration.steps, told, asked, strict=True)
    ]
    start = f"{_first(demonstration, 'Present it')}, or open a step here:"
    return "\n\n".join((f"## {demonstration.title}", demonstration.about, start, "\n".join(steps)))


def _first(demonstration: Demonstration, words: str) -> str:
    return f"[{words}]({demonstrations.address(f'{demonstration.key}-1')}&present=on)"
