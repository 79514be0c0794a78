"""The closing line counts what ran, and a step that failed without naming a test; skips stand before it."""

import re
import subprocess
import sys

from support import tally as module
from support.tally import tally

JUNIT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase>
<testcase classname="e2e.go" name="c"><skipped message="needs Go&#10;1.20"/></testcase>
<testcase name="d" status="notrun"/><testcase name="e"><error/></testcase><testcase name="g"><skipped/></testcase>
</testsuite></testsuites>"""


def test_cases_are_counted_over_steps_and_skips_are_told_with_their_reasons(tmp_path):
    (tmp_path / "one.xml").write_text(JUNIT)
    (tmp_path / "two.xml").write_text("<testsuite><testcase name='f'/></testsuite>")
    assert tally([("unit", 1, str(tmp_path)), ("more", 0, str(tmp_path / "two.xml"))]) == (
        [
            "skipped e2e.go.c: needs Go 1.20",
            "skipped d: is disabled",
            "skipped g: gives no reason",
            "3 passed, 2 failed",
        ],
        False,
    )


def test_the_last_line_is_the_sum_alone_whatever_was_skipped(tmp_path):
    (tmp_path / "one.xml").write_text(JUNIT)
    done = subprocess.run(
        [sys.executable, module.__file__, "unit", "0", str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert re.fullmatch(r"\d+ passed, \d+ failed", done.stdout.splitlines()[-1])


def test_a_crash_that_names_no_test_is_one_failure(tmp_path):
    (tmp_path / "two.xml").write_text("<testsuite><testcase name='f'/></testsuite>")
    lines, well = tally([("unit", 139, str(tmp_path))])
    assert (lines, well) == (["unit: ended with 139, no test was named", "1 passed, 1 failed"], False)


def test_a_step_that_ran_nothing_is_one_failure(tmp_path):
    assert tally([("unit", 0, str(tmp_path / "gone.xml"))]) == (["unit: ran no test", "0 passed, 1 failed"], False)


def test_a_step_without_cases_counts_only_when_it_fails():
    assert tally([("build", 0, "")]) == (["0 passed, 0 failed"], True)
    assert tally([("build", 1, "")]) == (["build: ended with 1, no test was named", "0 passed, 1 failed"], False)
