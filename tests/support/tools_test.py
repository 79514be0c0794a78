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
    monkeypatch.setattr(tools, "_go_versions", lambda: {(1, 19): "old-go", (1, 20): "go"})
    return made


def test_a_go_program_is_built_again_when_its_pins_change(builds, tmp_path):
    for pins, count in (("one", 1), ("one", 1), ("two", 2)):
        (tmp_path / "tests" / "tool" / "go.sum").write_text(pins)
        go_tool("tool", "example.org/tool", (1, 19), tmp_path)
        assert len(builds) == count


def test_only_the_pins_make_a_program_anew(builds, tmp_path):
    for name, count in (("wrapper.py", 1), ("tools.go", 2)):
        go_tool("tool", "example.org/tool", (1, 19), tmp_path)
        (tmp_path / "tests" / "tool" / name).write_text("new")
        go_tool("tool", "example.org/tool", (1, 19), tmp_path)
        assert builds == ["go"] * count


def test_programs_of_other_names_have_their_pins_where_it_is_said(builds, tmp_path, monkeypatch):
    monkeypatch.setattr(tools, "run", lambda *command, **options: builds.append(options["cwd"].name))
    go_tool("other", "example.org/other", (1, 19), tmp_path, pins="tool")
    assert builds == ["tool"]


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
