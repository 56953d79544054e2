"""Rows of a spreadsheet as a list of queries: one row for each query, cells separated by tabs, semicolons or commas."""

import re
from collections.abc import Sequence
from dataclasses import replace

from pages.framework.parameters.list_parameter import linkable, single_line
from pages.framework.parameters.parameter import excerpt
from pages.plan.queries import MAX_QUERIES, NAME_LENGTH, QueryItem, item_problem, new_item
from pages.plan.query_kinds import CAP, CAP_PERIODS, KINDS, LABELS, LOCKS, kind_with_numbers

MAX_LENGTH = 10_000  # characters
COLUMNS = "name, kind, wanted ±, then the numbers of the kind in the order of the fields"
_LIMIT = re.compile(r"(N|P)\s*=\s*(.+)", re.IGNORECASE)  # by the symbols of their fields
_KIND_WORDS = {label.lower(): key for key, label in LABELS.items()} | {key: key for key in KINDS}
_KIND_WORDS |= {"average": "mean", "share": "proportion", "counts": "count", "total": "sum", "own": "own"}
_JOINT_WORDS = ("all", "all cells", "joint", "simultaneous")
_HEADS = ("name", "query", "question")
_LOCK_WORDS = {label.lower().split(" (")[0]: key for key, label in LOCKS.items() if key and "fixed" not in label}


def read_rows(text: str) -> tuple[list[QueryItem], list[str]]:
    """Return the queries of a pasted text, and a sentence for each row that cannot be used.

    >>> items, sentences = read_rows("Income; sum; 500; 0; 100")
    >>> [item.link_text() for item in items], sentences
    (['sum:500,0,100=Income'], [])
    """
    items, sentences = list[QueryItem](), list[str]()
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    if lines and _cells(lines[0][1])[0].lower() in _HEADS:
        lines = lines[1:]
    for number, line in lines:
        item, problem = _read_row(_cells(line))
        if item is None:
            sentences.append(f"Row {number}: {problem.rstrip('.')}. It is left out.")
        else:
            items.append(item)
    if len(items) > MAX_QUERIES:
        sentences.append(f"{len(items)} rows can be used; only the first {MAX_QUERIES} are taken.")
    return items[:MAX_QUERIES], sentences


def _cells(line: str) -> list[str]:
    """Return the cells of a row: separated by tabs, else by semicolons, else by commas."""
    mark = next((mark for mark in "\t;" if mark in line), ",")
    return [cell.strip().strip('"').strip() for cell in line.split(mark)]


def _read_row(cells: Sequence[str]) -> tuple[QueryItem | None, str]:
    """Return a query, or None and what is wrong."""
    name, kind_word, *rest = [*cells, "", ""][: max(len(cells), 2)]
    kind = _KIND_WORDS.get(kind_word.lower())
    if kind is None:
        return None, f"its kind must be one of {', '.join(KINDS)}; {excerpt(kind_word) or 'nothing'} was given"
    numbers, words, limits = [], [], dict[str, str]()
    for cell in filter(None, rest):
        if match := _LIMIT.fullmatch(cell):
            limits[match[1].upper()] = linkable(match[2])
            continue
        (words if re.fullmatch(r"[^\W\d_][^\d]*", cell) else numbers).append(cell)
    item = replace(new_item(kind), name=single_line(name, NAME_LENGTH))
    if len(numbers) > 1 + len(item.numbers):
        query = f"“{excerpt(item.name)}”" if item.name else "it"
        return None, f"{query} is {kind_with_numbers(kind)}; {len(numbers)} numbers were given"
    texts = [linkable(number) for number in numbers]
    half_width, *own = [*texts, *(item.half_width, *item.numbers)[len(texts) :]]
    item = replace(item, half_width=half_width, numbers=tuple(own))
    if limits and not KINDS[kind].has_cap:
        return None, f"{kind} has no limit in all; {excerpt(next(iter(limits)))} was given"
    item = replace(item, cap=limits.get(CAP.symbol, ""), cap_periods=limits.get(CAP_PERIODS.symbol, ""))
    for word in words:
        if word.lower() in _JOINT_WORDS and KINDS[kind].has_cells:
            item = replace(item, is_joint=True)
        elif word.lower() in _LOCK_WORDS:
            item = replace(item, lock=_LOCK_WORDS[word.lower()])
        else:
            return None, f"“{excerpt(word)}” is not a number, nor a word that is allowed there"
    problem = item_problem(item)
    return (item, "") if problem is None else (None, problem)
