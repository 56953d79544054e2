"""The programs of a plan as files: a release by an office, a survey in which each device adds the noise, a training.

The code of a program is that of the modules in `steps`, one after the other, which are the same for all plans. A plan
is data in it: a dictionary of literals, whose texts are no code, whatever is in them. It has no count of the user's.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from inspect import getsource
from pprint import pformat
from types import ModuleType
from typing import Any

import nbformat
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

import dpcore
from pages.framework.layout.offers import Download, Downloads, Statements
from pages.framework.layout.section import Conditions
from pages.shared.release_program.steps import (
    check,
    choose,
    entries,
    large,
    ledger,
    limit,
    lists,
    noise,
    options,
    run,
    series,
    survey,
    together,
    train,
    write,
)

STEPS: tuple[tuple[str, ModuleType], ...] = (
    ("1. Check the file against the plan", check),
    ("The public lists: of categories, periods or candidates", lists),
    ("The releases that a folder has already", ledger),
    ("All releases of a folder together, in words", together),
    ("Of a series: the sums that get noise, and the numbers that are made of them", series),
    ("What each row of the file says", entries),
    ("2. Limit what one person contributes, clip and aggregate", limit),
    ("2b. The same for files beyond memory", large),
    ("Of quantiles or the largest of several: an exact draw, and what is read off a histogram", choose),
    ("3. Add noise by OpenDP’s exact samplers, also to groups whose names are confidential", noise),
    ("4. Write the numbers and the statement", write),
    ("The command: the file, its columns and the folder", options),
    ("5. All steps in their order", run),
)
SURVEY_STEPS: tuple[tuple[str, ModuleType], ...] = (
    ("1. The file with the options", check),
    ("The public list of them", lists),
    ("2. Coins that are exact", choose),
    ("3. A report, and the shares of all reports", survey),
)
TRAINING_STEPS: tuple[tuple[str, ModuleType], ...] = (
    ("1. Read the file", check),
    ("The releases that a folder has already", ledger),
    ("All releases of a folder together, in words", together),
    ("2. Poisson batches, gradients that are cut, and noise", train),
)
_OWN_IMPORT = re.compile(r"^from pages\.[\w.]+ import (\([^)]*\)|.*)\n", re.MULTILINE)
_SCRIPT = """\
# /// script
# requires-python = ">=3.11"
# dependencies = [%s]
# ///
"""
_INSTRUCTIONS = """\
Publishes the numbers of a plan. It reads your CSV file on this machine and uploads nothing.

Install OpenDP with: pip install "opendp>=0.16,<0.17". Then
python release.py --help
has the command of this plan, and what it lacks is said in a sentence. The numbers (CSV) and the statement (JSON) are
written to the folder release, or to that which --out names. If a person has several values of a sum, a mean
or a quantile, they are joined: those of a sum are added up, for the others say how with --join. A row with an unusable
entry stops it, unless you say --leave-out-bad-rows. Dates count in their months where the public list has months.

A series that is published as it goes: run it with --until and the last period that has ended, and again in the same
folder when the next one has. All runs together cost ε once: a secret file in the folder keeps the noise. Of a person
in more periods than the limit the earliest count. Where the plan has other statistics too, it is a run of its own: name
it with --only, and the others with --only in another run.

What the limits leave out, and how many values are cut, is told in a message that must not be published.
"""
_SURVEY_INSTRUCTIONS = """\
A survey in which the device of each person adds the noise. It needs no library.

On a device, with the public list of the options:
python survey.py answer --options OPTIONS.csv
takes the answer and writes a report of one line. In the office, with the reports, one a line:
python survey.py estimate REPORTS.txt --options OPTIONS.csv
writes the share of each option with its ±.
"""
_TRAINING_INSTRUCTIONS = """\
Trains a linear or a logistic model with DP-SGD. It reads your CSV file on this machine and uploads nothing.

Install NumPy and OpenDP with: pip install "numpy>=2" "opendp>=0.16,<0.17". Then, with public bounds of each column,
python train.py FILE.csv --person COLUMN --model linear --feature COLUMN=LOW,HIGH --target COLUMN=LOW,HIGH
or --model logistic with --target COLUMN=NO,YES for its two labels; --feature once for each column. The model (CSV) and
the statement (JSON) are written to the folder release, or to that which --out names.
"""
_SURVEY_TEXT = (
    "A program that draws the report on the device of each person, and estimates the shares of all reports in the "
    "office. The answer itself never leaves the device."
)


_TRAINING_TEXT = (
    "A program that trains a linear or logistic model on your CSV file with these batches, steps and noise. It runs on "
    "your machine, uploads nothing, and needs public bounds of the columns, NumPy and OpenDP."
)


@dataclass(frozen=True)
class Program:
    """What is the same in all programs of one kind: their steps, how they are used, and the call that runs them.

    Those that a section offers for its whole plan have a `heading`, a `text` and the name of a `file` too.
    """

    steps: tuple[tuple[str, ModuleType], ...]
    instructions: str
    library: str
    call: str
    cell: str
    heading: str = ""
    text: str = ""
    file: str = ""


RELEASE = Program(
    STEPS,
    _INSTRUCTIONS,
    '"opendp>=0.16,<0.17"',
    "main(PLAN)",
    '# Enter your file and its columns here.\npublish(PLAN, ["FILE.csv", "--person", "COLUMN"])',
)
SURVEY = Program(
    SURVEY_STEPS,
    _SURVEY_INSTRUCTIONS,
    "",
    "survey_main(PLAN)",
    '# Enter your files here.\nsurvey(PLAN, ["estimate", "REPORTS.txt", "--options", "OPTIONS.csv"])',
    "Run the survey",
    _SURVEY_TEXT,
    "survey",
)
TRAINING = Program(
    TRAINING_STEPS,
    _TRAINING_INSTRUCTIONS,
    '"numpy>=2", "opendp>=0.16,<0.17"',
    "training_main(PLAN)",
    "# Enter your file and its columns here.\n"
    'train(PLAN, ["FILE.csv", "--person", "COLUMN", "--model", "linear", "--feature", "COLUMN=LOW,HIGH",\n'
    '             "--target", "COLUMN=LOW,HIGH"])',
    "Train a linear or logistic model",
    _TRAINING_TEXT,
    "train",
)


def program_downloads(
    program: Program,
    facts: dict[str, Any],
    conditions: Conditions | None,
    statements: Callable[[], Statements | None],
) -> Downloads:
    """Return a program with the facts of a plan, as files; `statements` makes the statements when a file is wanted."""

    def plan(link: str) -> dict[str, Any]:
        said, stated = "" if conditions is None else conditions.sentence, statements()
        return facts | {"conditions": said, "statement": "" if stated is None else stated.public} | version(link)

    return Downloads(
        program.heading,
        program.text,
        (
            Download(f"{program.file}.py", "Program (.py)", lambda link: code_file(plan(link), program).encode()),
            Download(
                f"{program.file}.ipynb", "Notebook (.ipynb)", lambda link: code_notebook(plan(link), program).encode()
            ),
        ),
    )


def version(link: str) -> dict[str, str]:
    """Return the link of a setting and the version of this program, for a plan."""
    return {"link": link, "version": f"DP Trade-off Explorer {dpcore.__version__}"}


def _plan_code(facts: dict[str, Any]) -> str:
    """Return the plan as a statement of Python; its texts are literals."""
    return f"PLAN = {pformat(facts, width=100, compact=True, sort_dicts=False)}"


def _step_code(module: ModuleType) -> str:
    """Return the code of a step, without what it imports from the other ones."""
    return _OWN_IMPORT.sub("", getsource(module).partition('"""\n')[2]).strip()


def code_file(facts: dict[str, Any], program: Program) -> str:
    """Return a program for a plan as a Python file."""
    steps = (f"# {title}\n\n{_step_code(module)}" for title, module in program.steps)
    ending = f'if __name__ == "__main__":\n    {program.call}\n'
    head = f'{_SCRIPT % program.library}"""{program.instructions}"""'
    return "\n\n\n".join((head, _plan_code(facts), *steps, ending))


def code_notebook(facts: dict[str, Any], program: Program) -> str:
    """Return a program for a plan as a Jupyter notebook, whose last cell runs it."""
    cells = [new_markdown_cell(f"# A release\n\n{program.instructions}"), new_code_cell(_plan_code(facts))]
    for title, module in program.steps:
        cells += [new_markdown_cell(f"## {title}"), new_code_cell(_step_code(module))]
    cells += [new_markdown_cell("## Run it"), new_code_cell(program.cell)]
    for place, cell in enumerate(cells):
        cell["id"] = f"cell-{place}"
    return nbformat.writes(new_notebook(cells=cells))
