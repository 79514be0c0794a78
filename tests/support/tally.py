"""Adds up the steps of a test run and prints the closing line `N passed, N failed`.

Called as tally.py NAME EXIT_CODE JUNIT_FILE [NAME EXIT_CODE JUNIT_FILE ...]; an empty JUNIT_FILE is a step that counts
only when it fails. A step that failed without naming a failing test (a crash, a time-out) counts as one failure.
"""

import sys
import xml.etree.ElementTree as ElementTree


def count(junit_file):
    """Returns (passed, failed, skipped) of one JUnit file; a missing or broken one is all zeros."""
    try:
        cases = ElementTree.parse(junit_file).iter("testcase")
    except (OSError, ElementTree.ParseError):
        return 0, 0, 0
    passed = failed = skipped = 0
    for case in cases:
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
        elif case.find("skipped") is not None or case.get("status") == "notrun":
            skipped += 1
        else:
            passed += 1
    return passed, failed, skipped


def tally(steps):
    """Takes (name, exit code, junit file) triples; returns the closing line and whether all is well."""
    totals = [0, 0, 0]
    for name, code, junit_file in steps:
        counts = count(junit_file) if junit_file else (0, 0, 0)
        totals = [total + more for total, more in zip(totals, counts)]
        ran_nothing = bool(junit_file) and sum(counts) == 0
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
