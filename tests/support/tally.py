"""Adds up the steps of a test run and prints the closing line `N passed, N failed`.

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


def count(junit):
    """Returns (passed, failed, skipped)."""
    passed = failed = skipped = 0
    for case in cases(junit):
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def tally(steps):
    """Takes (name, exit code, junit) triples; returns the closing line and whether all is well."""
    totals = [0, 0, 0]
    for name, code, junit in steps:
        counts = count(junit) if junit else (0, 0, 0)
        totals = [total + more for total, more in zip(totals, counts)]
        ran_nothing = bool(junit) and sum(counts) == 0
        if counts[1] == 0 and (code != 0 or ran_nothing):
            print(f"{name}: " + (f"ended with {code}, no test was named" if code else "ran no test"))
            totals[1] += 1
    passed, failed, skipped = totals
    line = f"{passed} passed, {failed} failed"
    if skipped:
        line += f", {skipped} skipped"
    return line, failed == 0


def main(arguments):
    steps = [(arguments[i], int(arguments[i + 1]), arguments[i + 2]) for i in range(0, len(arguments), 3)]
    line, well = tally(steps)
    print(line, flush=True)
    return 0 if well else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
