"""The audit of dependencies: what the two programs answer, what they do not, and that neither holds anybody up."""

from __future__ import annotations

import json
import sys
import time

import pytest

import audit

PIP = {
    "dependencies": [
        {"name": "good", "version": "1.0", "vulns": []},
        {"name": "bad", "version": "2.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2.1"]}, {"id": "CVE-2"}]},
        {"name": "ours", "skip_reason": "not on the list"},
    ],
    "fixes": [],
}
NPM = {
    "auditReportVersion": 2,
    "vulnerabilities": {
        "deep": {"name": "deep", "range": "<1.2", "via": [{"source": 1, "url": "https://example.org/advisories/GHSA-aaaa", "title": "x"}]},
        "top": {"name": "top", "range": "*", "via": ["deep"]},
    },
}


def test_what_is_known_is_named() -> None:
    """Package, version and id; by whom it comes in is not said twice."""
    assert audit.read_pip_audit(json.dumps(PIP)) == audit.Found({"bad 2.0": ["PYSEC-1", "CVE-2"]})
    assert audit.read_npm_audit(json.dumps(NPM)) == audit.Found({"deep <1.2": ["GHSA-aaaa"]})
    assert audit.read_npm_audit('{"auditReportVersion": 2, "vulnerabilities": {}}') == audit.Found({})


@pytest.mark.parametrize("text", ["", "Traceback", "[]", "null", '{"message": "405", "error": {}}', '{"dependencies": 3}'])
def test_no_answer_is_no_clean_bill(text: str) -> None:
    """What is no report says nothing about anything."""
    assert audit.read_pip_audit(text).missing
    assert audit.read_npm_audit(text).missing


def test_a_list_that_knows_nothing_has_not_audited() -> None:
    """A mirror without the list answers each question in the negative."""
    assert audit.read_pip_audit(json.dumps({"dependencies": [{"name": "a", "skip_reason": "not found"}]})).missing


def test_only_what_is_known_fails_and_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loud without an answer; status 1 with a bad one, unless there is a reason to accept it."""
    missing = {"lock": audit.Found({}, "no answer")}
    lines, good = audit.report(missing)
    assert good
    assert lines[0].startswith("!!! not audited: lock")
    bad = {"lock": audit.Found({"bad 2.0": ["CVE-2"]}), "clean": audit.Found({})}
    assert audit.report(bad) == (["lock: bad 2.0 is known to be vulnerable: CVE-2"], False)
    monkeypatch.setitem(audit.ACCEPTED, "CVE-2", "not reachable from here")
    assert audit.report(bad) == ([], True)


def test_nobody_waits_for_a_list(monkeypatch: pytest.MonkeyPatch) -> None:
    """A program that hangs, or is not there, is a missing answer."""
    monkeypatch.setattr(audit, "SECONDS", 0.3)
    began = time.monotonic()
    found = audit.ask([sys.executable, "-c", "import time; time.sleep(60)"], audit.read_npm_audit)
    assert "0 s" in found.missing
    assert time.monotonic() - began < 20
    assert audit.ask(["/no/such/program"], audit.read_npm_audit).missing
    assert audit.ask([sys.executable, "-c", f"print({json.dumps(PIP)!r})"], audit.read_pip_audit).vulnerable


def test_every_lock_is_asked_about() -> None:
    """Whatever is locked, and nothing is installed or resolved for it."""
    commands = [" ".join(command) for command, _, _ in audit.questions().values()]
    for path in (audit.ROOT / "requirements").glob("*.txt"):
        assert sum(str(path) in command for command in commands) == 1, path
    assert all("--disable-pip" in command or "--package-lock-only" in command for command in commands)
