"""The lock file of deployments: every requirement at one version with its hashes, within the ranges."""

import re
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
LOCK = (ROOT / ".deploy" / "requirements.lock").read_text(encoding="utf-8")
REMEDY = "write the lock file again with the command in its first lines"
PYTHONS = ("3.11", "3.12", "3.13", "3.14")
PYTHON = f"{sys.version_info.major}.{sys.version_info.minor}"


def requirements_of(text: str) -> list[Requirement]:
    lines = text.replace("\\\n", " ").splitlines()
    return [Requirement(line.partition("--hash")[0]) for line in lines if line.strip() and line.lstrip()[0] != "#"]


RANGES = requirements_of((ROOT / "requirements.txt").read_text(encoding="utf-8"))
LOCKED = requirements_of(LOCK)


def locked_versions(name: str, python: str, system: str = "linux") -> list[str]:
    """Return the versions of a distribution that the file installs on one system with one version of Python."""
    environment = {"python_version": python, "python_full_version": f"{python}.0", "sys_platform": system}
    return [
        pin.version
        for each in LOCKED
        for pin in each.specifier
        if canonicalize_name(each.name) == canonicalize_name(name)
        and (each.marker is None or each.marker.evaluate(environment))
    ]


def test_each_range_resolves_to_one_locked_version_whatever_the_version_of_python():
    declared = [*map(Requirement, PROJECT["dependencies"]), *RANGES]
    wrong = [
        f"{each} on Python {python}: {versions}"
        for each in declared
        for python in PYTHONS
        if len(versions := locked_versions(each.name, python)) != 1 or versions[0] not in each.specifier
    ]
    assert len(declared) > 10
    assert not wrong, f"{wrong}: {REMEDY}"


def test_what_the_locked_versions_require_themselves_is_locked_within_their_ranges():
    pending, wrong = [each.name for each in RANGES], list[str]()
    seen, others = set[str](), set[str]()  # of the others another version is installed here, with needs of its own
    while pending:
        name = canonicalize_name(pending.pop())
        if name in seen:
            continue
        seen.add(name)
        if metadata.version(name) not in locked_versions(name, PYTHON):
            others.add(name)
            continue
        for each in map(Requirement, metadata.requires(name) or []):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                versions = locked_versions(each.name, PYTHON)
                wrong += [] if versions and versions[0] in each.specifier else [f"{name} requires {each}: {versions}"]
                pending.append(each.name)
    unused = [] if others else [each.name for each in LOCKED if canonicalize_name(each.name) not in seen]
    assert len(seen - others) > 10
    assert (wrong, unused) == ([], []), REMEDY


def test_the_lock_names_nothing_twice_and_has_hashes_for_each_version():
    entries = re.split(r"\n(?=[a-z])", LOCK)[1:]
    assert len(entries) == len(LOCKED) > 25
    assert [entry for entry in entries if not re.search(r"--hash=sha256:[0-9a-f]{64}\b", entry)] == []
    assert [each for each in LOCKED if [pin.operator for pin in each.specifier] != ["=="]] == []


@pytest.mark.parametrize("name", [".deploy/Containerfile", ".deploy/dp-explorer@.service", "docs/deployment.md"])
def test_the_container_the_unit_and_their_guide_install_the_locked_versions(name: str):
    installs = [line for line in (ROOT / name).read_text(encoding="utf-8").splitlines() if "pip install " in line]
    assert [line.endswith(" --require-hashes -r .deploy/requirements.lock") for line in installs] == [True]
