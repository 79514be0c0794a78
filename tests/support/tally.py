"""Adds up the steps of a test run and prints the closing line `N passed, N failed`, before it what was skipped and why.

Called as tally.py NAME EXIT_CODE JUNIT [NAME EXIT_CODE JUNIT ...]. JUNIT is a file or a folder of files; an empty one
is a step that counts only when it fails. A step that failed without naming a failing test (a crash, a time-out) counts
as one failure.
"""

import pathlib
import sys
import xml.etree.ElementTree as ElementTree


def cases(junit):
    """The test cases of a JUnit file or of a folder of them; a missing or broken file has none."""
    path = pathlib.Path(junit)
    for file in sorted(path.glob("*.xml")) if path.is_dir() else [path]:
        try:
            yield from ElementTree.parse(file).iter("testcase")
        except (OSError, ElementTree.ParseError):
            continue


def skip_line(case):
    """`skipped NAME: reason` of a skipped case, or None."""
    skipped = case.find("skipped")
    if skipped is None and case.get("status") != "notrun":
        return None
    reason = "is disabled" if skipped is None else skipped.get("message") or (skipped.text or "").strip()
    name = ".".join(filter(None, [case.get("classname"), case.get("name")]))
    return f"skipped {name}: {' '.join(reason.split()) or 'gives no reason'}"


def count(junit):
    """Returns (passed, failed, lines of what was skipped)."""
    passed = failed = 0
    skips = []
    for case in cases(junit):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif line := skip_line(case):
            skips.append(line)
        else:
            passed += 1
    return passed, failed, skips


def tally(steps):
    """Takes (name, exit code, junit) triples; returns the lines to print, the sum last, and whether all is well."""
    lines = []
    passed = failed = 0
    for name, code, junit in steps:
        step_passed, step_failed, skips = count(junit) if junit else (0, 0, [])
        lines += skips
        passed += step_passed
        failed += step_failed
        ran_nothing = bool(junit) and step_passed + step_failed + len(skips) == 0
        if step_failed == 0 and (code != 0 or ran_nothing):
            lines.append(f"{name}: " + (f"ended with {code}, no test was named" if code else "ran no test"))
            failed += 1
    return [*lines, f"{passed} passed, {failed} failed"], failed == 0


def main(arguments):
    steps = [(arguments[i], int(arguments[i + 1]), arguments[i + 2]) for i in range(0, len(arguments), 3)]
    lines, well = tally(steps)
    print("\n".join(lines), flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
