"""The program of a training: DP-SGD of a linear or a logistic model, with Poisson batches and OpenDP’s Gaussian noise.

In each step every record joins the batch apart from the others. Its gradient is cut to the clipping norm on a grid, so
that the sum is exact, and OpenDP adds discrete Gaussian noise on that grid. Beside a Gaussian that is rounded to it,
which is what the page accounts for, each probability is off by a factor that noise larger by `EXTRA` pays for.
"""

import argparse
import csv
import json
import math
import secrets
import sys
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from os import urandom
from pathlib import Path
from typing import Any

from pages.shared.release_program.steps.check import (
    ReleaseError,
    Source,
    cell_text,
    lines_of,
    module_named,
    opendp_module,
    shown,
    up,
    up_text,
)
from pages.shared.release_program.steps.ledger import Ledger, ledger_of
from pages.shared.release_program.steps.together import guarantee_text, with_earlier, with_sum

GRID = 2**30  # steps of the grid to the clipping norm
EXTRA = 2.0**-20  # by which the noise is larger than on the page
WORD = 2**64  # random numbers that decide who joins a batch
LARGEST_WEIGHT = 1e6  # of a column that is scaled to [−1, 1]
NEAR = 0.1  # by which the number of records may differ from that of the page
CHOSEN = "the bounds and labels of the columns, the clipping norm and the learning rate were chosen without these data"


@dataclass(frozen=True)
class Column:
    """A column of numbers with public bounds, or one of two public labels, the second of which is predicted."""

    name: str
    low: float = 0.0
    high: float = 1.0
    labels: tuple[str, ...] = ()

    def scaled(self, text: str, line: int) -> float:
        """Return an entry within the bounds, scaled to [−1, 1]; of labels 0 or 1."""
        if self.labels:
            if text not in self.labels:
                raise ReleaseError(f"Line {line} has {shown(text)} for {shown(self.name)}, which is no label.")
            return float(self.labels.index(text))
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            raise ReleaseError(f"Line {line} has {shown(text)} for {shown(self.name)}, which is no number.")
        return 2 * (min(max(value, self.low), self.high) - self.low) / (self.high - self.low) - 1


@dataclass(frozen=True)
class Task:
    """What is trained on which file: its columns, the norm to which a gradient is cut, and the size of a step."""

    source: Source
    is_logistic: bool
    features: tuple[Column, ...]
    target: Column
    clip: float
    learning_rate: float


def training_options(arguments: Sequence[str]) -> argparse.Namespace:
    """Return what the user says of the file, the model and the folder."""
    parser = argparse.ArgumentParser(description="Train a model with differential privacy on a CSV file.")
    parser.add_argument("file", type=Path, help="the CSV file, one row a record")
    parser.add_argument("--model", choices=("linear", "logistic"), required=True, help="what is trained")
    bounds = "COLUMN=LOW,HIGH"
    parser.add_argument(
        "--feature", action="append", default=[], metavar=bounds, help="a column of numbers with its public bounds"
    )
    parser.add_argument(
        "--target", required=True, metavar=bounds, help="what is predicted; of a logistic model COLUMN=NO,YES"
    )
    parser.add_argument("--person", default="", metavar="COLUMN", help="the column that identifies a person")
    parser.add_argument("--each-row-a-person", action="store_true", help="no person has a second row")
    parser.add_argument("--clip", type=float, default=1.0, metavar="NORM", help="the norm to which a gradient is cut")
    parser.add_argument("--learning-rate", type=float, default=None, metavar="RATE", help="the size of a step")
    parser.add_argument("--out", type=Path, default=Path("model"), metavar="FOLDER", help="where the model goes")
    parser.add_argument("--again", action="store_true", help="train once more, which costs the same ε again")
    return parser.parse_args(arguments)


def column_in(text: str, has_labels: bool) -> Column:
    """Return a column of the command, COLUMN=LOW,HIGH or COLUMN=NO,YES.

    >>> column_in("age=0,120", False)
    Column(name='age', low=0.0, high=120.0, labels=())
    """
    name, _, ends = text.rpartition("=")
    first, _, second = ends.partition(",")
    if has_labels:
        if not name or not first or not second or first == second:
            raise ReleaseError(f"Write COLUMN=NO,YES with two public labels, not {shown(text)}.")
        return Column(name, labels=(first, second))
    try:
        low, high = float(first), float(second)
    except ValueError:
        low = high = math.nan
    if not name or not low < high or not math.isfinite(high - low):
        raise ReleaseError(f"Write COLUMN=LOW,HIGH with public bounds, not {shown(text)}.")
    return Column(name, low, high)


def task_of(options: argparse.Namespace, plan: dict[str, Any]) -> Task:
    """Return what is trained, or stop where the command lacks something or says it twice."""
    is_logistic = options.model == "logistic"
    features = tuple(column_in(text, False) for text in options.feature)
    target = column_in(options.target, is_logistic)
    names = [column.name for column in (*features, target)]
    if not features or len(set(names)) < len(names):
        raise ReleaseError("Name each column once, and one at least with --feature COLUMN=LOW,HIGH.")
    if plan["unit"] == "person" and bool(options.person) == options.each_row_a_person:
        raise ReleaseError(
            "Say who a row belongs to: --person COLUMN, or --each-row-a-person if nobody can have a second row."
        )
    rate = 1 / len(names) if options.learning_rate is None else options.learning_rate
    for option, value in (("--clip", options.clip), ("--learning-rate", rate)):
        if not 1e-9 <= value <= 1e9:
            raise ReleaseError(f"{option} must be in [1e-9, 1e9], got {value}.")
    return Task(Source(options.file, options.person, {}, {}), is_logistic, features, target, options.clip, rate)


def records_of(task: Task) -> Iterator[tuple[str | int, list[float]]]:
    """Yield of each row the person, and its entries: 1, the scaled features, and last the target."""
    person, columns = task.source.person, (*task.features, task.target)
    wanted = [*((person,) if person else ()), *(column.name for column in columns)]
    for line, row in lines_of(task.source):
        if missing := [name for name in wanted if name not in row]:
            raise ReleaseError(f"The file has no column {shown(missing[0])}; it has {', '.join(map(shown, row))}.")
        if person and not row[person]:
            raise ReleaseError(f"Line {line} has nobody in the column {shown(person)}.")
        yield row[person] if person else line, [1.0, *(column.scaled(row[column.name], line) for column in columns)]


def kept_records(task: Task, plan: dict[str, Any]) -> list[list[float]]:
    """Return one record of each person, chosen at random, whatever their values and their order.

    Raises
    ------
    ReleaseError
        if their number is not about that of the plan.
    """
    of_person: defaultdict[str | int, list[list[float]]] = defaultdict(list)
    for person, record in records_of(task):
        of_person[person].append(record)
    kept = [secrets.choice(own) for own in of_person.values()]
    if abs(len(kept) - plan["records"]) > NEAR * plan["records"]:
        raise ReleaseError(
            f"The page is made for N = {plan['records']:,.0f} records, and the file has {len(kept):,}: enter there "
            "about how many it has, if that is public."
        )
    return kept


def joined(numpy: Any, n_records: int, rate: float) -> Any:
    """Return who joins a batch: each apart from the others, with the probability `rate`, rounded down to 2⁻⁶⁴."""
    threshold = int(Fraction(rate) * WORD)
    if threshold >= WORD:
        return numpy.arange(n_records)
    words = numpy.frombuffer(urandom(8 * n_records), dtype=numpy.uint64)
    return numpy.flatnonzero(words < numpy.uint64(threshold))


def gradients_of(numpy: Any, records: Any, weights: Any, is_logistic: bool) -> Any:
    """Return the gradient of the loss of each record: of half the squared error, or the logistic loss."""
    inputs, targets = records[:, :-1], records[:, -1]
    predicted = inputs @ weights
    predicted = (1 + numpy.tanh(predicted / 2)) / 2 if is_logistic else predicted
    return (predicted - targets)[:, None] * inputs


def cut_in_steps(numpy: Any, gradients: Any, clip: float) -> Any:
    """Return gradients on the grid, each of a length of at most `GRID`, which whole numbers confirm."""
    lengths = numpy.sqrt((gradients**2).sum(axis=1))
    factors = GRID * (1 - 2.0**-40) / numpy.maximum(lengths, clip)
    steps = numpy.trunc(gradients * factors[:, None]).astype(numpy.int64)
    steps[(steps * steps).sum(axis=1) > GRID**2] = 0
    return steps


def noise_of(opendp: Any, noise_multiplier: float) -> Any:
    """Return OpenDP’s Gaussian noise for a sum that one record moves by the clipping norm.

    Raises
    ------
    ReleaseError
        if the privacy of a step by OpenDP’s map is less than that of the plan.
    """
    scale = math.nextafter(noise_multiplier * GRID * (1 + EXTRA), math.inf)
    space = opendp.vector_domain(opendp.atom_domain(T="i64")), opendp.l2_distance(T="f64")
    noise = opendp.m.make_gaussian(*space, scale)
    if noise.map(float(GRID)) > 1 / (2 * noise_multiplier**2):
        raise ReleaseError("OpenDP’s privacy of a step is less than that of the plan.")
    return noise


def trained(
    numpy: Any, records: Any, noise: Any, plan: dict[str, Any], task: Task, note: Callable[[str], object]
) -> Any:
    """Return the mean of the weights of the second half of the steps, of columns that are scaled to [−1, 1]."""
    weights, total, n_steps = numpy.zeros(records.shape[1] - 1), 0.0, plan["steps"]
    shown_at = {n_steps * tenth // 10 for tenth in range(1, 10)}
    for step in range(n_steps):
        batch = records[joined(numpy, len(records), plan["rate"])]
        steps = cut_in_steps(numpy, gradients_of(numpy, batch, weights, task.is_logistic), task.clip)
        noisy = numpy.array(noise(steps.sum(axis=0).tolist()), dtype=numpy.float64) / GRID * task.clip
        weights = weights - task.learning_rate * noisy / plan["batch"]
        weights = numpy.clip(weights, -LARGEST_WEIGHT, LARGEST_WEIGHT)
        if step >= n_steps // 2:
            total = total + weights
        if step in shown_at:
            note(f"Step {step:,} of {n_steps:,}.")
    return total / (n_steps - n_steps // 2)


def terms_of(weights: Sequence[float], task: Task) -> list[tuple[str, float]]:
    """Return the intercept and the weight of each column, in the units of the file."""
    half = 1.0 if task.is_logistic else (task.target.high - task.target.low) / 2
    middle = 0.0 if task.is_logistic else (task.target.high + task.target.low) / 2
    own = [
        2 * half * weight / (column.high - column.low)
        for weight, column in zip(weights[1:], task.features, strict=True)
    ]
    lows = (weight * (c.high + c.low) / 2 for weight, c in zip(own, task.features, strict=True))
    return [("", middle + half * weights[0] - sum(lows)), *zip((c.name for c in task.features), own, strict=True)]


def model_written(ledger: Ledger, said: dict[str, Any], weights: Sequence[float], task: Task) -> str:
    """Write the model and the statement, and return a sentence on where they are."""
    numbers, statement = (ledger.folder / f"release-{ledger.number}.{kind}" for kind in ("csv", "json"))
    terms = terms_of(weights, task)
    rows = [["column", "weight"], *([cell_text(name) or "intercept", repr(weight)] for name, weight in terms)]
    rows = with_sum(rows, ledger)
    with numbers.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows(rows)
    target = task.target
    predicts = f"log odds of {target.labels[1]!r}" if task.is_logistic else "the value"
    model = {"predicts": predicts, "target": target.name, "intercept": terms[0][1]}
    model["features"] = [
        {"column": column.name, "low": column.low, "high": column.high, "weight": weight}
        for column, (_, weight) in zip(task.features, terms[1:], strict=True)
    ]
    of_folder = {"epsilon_of_this_folder": up(ledger.epsilon), "delta_of_this_folder": up(ledger.delta)}
    whole = said | ledger.terms | {"release_in_this_folder": ledger.number} | of_folder
    whole |= {"date": date.today().isoformat(), "clip": task.clip, "learning_rate": task.learning_rate, "model": model}
    statement.write_text(json.dumps(whole, ensure_ascii=False, indent=2), encoding="utf-8")
    return f"Written: {numbers} and {statement}."


def train(plan: dict[str, Any], arguments: Sequence[str], note: Callable[[str], object] = print) -> None:
    """Train the model once, on the file that the arguments name.

    Raises
    ------
    ReleaseError
        if a condition of the plan does not hold: then nothing was published.
    """
    options = training_options(arguments)
    task, numpy = task_of(options, plan), module_named("numpy", "numpy>=2", "NumPy")
    opendp = opendp_module()
    kept = kept_records(task, plan)
    noise = noise_of(opendp, plan["noise_multiplier"])
    rho = noise.map(float(GRID))
    joins = f"a record joins each of {plan['steps']:,} steps with a probability of {up_text(plan['rate'])}"
    ledger = ledger_of(options.out, plan, options.again)
    note(f"{guarantee_text(plan, ledger)} For that {joins}.")
    note(
        "Checked: OpenDP, another program, confirms the noise of a step. It has no rule for batches that are drawn at "
        "random, so that the sum of all steps is that of the page."
    )
    assumed = [CHOSEN, f"that there are about {plan['records']:,.0f} records is public"]
    assumed += ["nobody has a second row (said with --each-row-a-person)"] if options.each_row_a_person else []
    said = plan | {"assumptions": [*plan["assumptions"], *assumed], "sampler": "OpenDP"}
    said |= {key: up(plan[key]) for key in ("epsilon", "delta")} | {"rho_of_a_step_by_opendp": up(rho)}
    said = with_earlier(said, ledger)
    weights = trained(numpy, numpy.array(kept), noise, plan, task, note)
    note(model_written(ledger, said, weights.tolist(), task))


def training_main(plan: dict[str, Any]) -> None:
    """Train from the command line; a condition that does not hold ends it in one sentence."""
    try:
        train(plan, sys.argv[1:])
    except ReleaseError as error:
        sys.exit(f"Nothing was published. {error}")
