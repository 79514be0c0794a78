"""A Go program is built once for what its folder pins, and again when that changes."""

import pytest

from support import tools
from support.tools import go_tool


@pytest.fixture
def builds(tmp_path, monkeypatch):
    """A root with one pinned program; the list names each build."""
    (tmp_path / "tests" / "tool").mkdir(parents=True)
    (tmp_path / "tests" / "tool" / "go.sum").write_text("one")
    made = []

    def run(*command, **_options):
        made.append(command[0])
        (tmp_path / ".tools" / "tool").write_text("program")

    monkeypatch.setattr(tools, "run", run)
    monkeypatch.setattr(tools, "_go_version", lambda: (1, 20))
    return made


def test_a_go_program_is_built_again_when_its_pins_change(builds, tmp_path):
    for pins, count in (("one", 1), ("one", 1), ("two", 2)):
        (tmp_path / "tests" / "tool" / "go.sum").write_text(pins)
        go_tool("tool", "example.org/tool", (1, 19), tmp_path)
        assert len(builds) == count


def test_a_program_without_a_stamp_is_not_trusted(builds, tmp_path):
    (tmp_path / ".tools").mkdir()
    (tmp_path / ".tools" / "tool").write_text("of unknown age")
    go_tool("tool", "example.org/tool", (1, 19), tmp_path)
    assert builds == ["go"]


@pytest.mark.parametrize("ci,outcome", [("", pytest.skip.Exception), ("true", pytest.fail.Exception)])
def test_without_a_fitting_go_it_is_skipped_but_fails_in_ci(builds, tmp_path, monkeypatch, ci, outcome):
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="needs Go 1.21"):
        go_tool("tool", "example.org/tool", (1, 21), tmp_path)
    assert builds == []
