"""The closing line counts what ran, and a step that failed without naming a test."""

from support.tally import tally

JUNIT = """<testsuites><testsuite>
<testcase name="a"/><testcase name="b"><failure/></testcase><testcase name="c"><skipped/></testcase>
<testcase name="d" status="notrun"/><testcase name="e"><error/></testcase>
</testsuite></testsuites>"""


def test_cases_are_counted_over_steps(tmp_path):
    (tmp_path / "one.xml").write_text(JUNIT)
    (tmp_path / "two.xml").write_text("<testsuite><testcase name='f'/></testsuite>")
    assert tally([("unit", 1, str(tmp_path)), ("more", 0, str(tmp_path / "two.xml"))]) == (
        "3 passed, 2 failed, 2 skipped",
        False,
    )


def test_a_crash_that_names_no_test_is_one_failure(tmp_path):
    (tmp_path / "two.xml").write_text("<testsuite><testcase name='f'/></testsuite>")
    assert tally([("unit", 139, str(tmp_path))]) == ("1 passed, 1 failed", False)


def test_a_step_that_ran_nothing_is_one_failure(tmp_path):
    assert tally([("unit", 0, str(tmp_path / "gone.xml"))]) == ("0 passed, 1 failed", False)


def test_a_step_without_cases_counts_only_when_it_fails():
    assert tally([("build", 0, "")]) == ("0 passed, 0 failed", True)
    assert tally([("build", 1, "")]) == ("0 passed, 1 failed", False)
