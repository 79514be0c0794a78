"""Holds the tree to its own rules: python3 tests/tidy.py [--root DIR]. Prints path:line: rule: message, exits 1 if any.

The rules stand in tests/tidy_rules/, one module per subject. tests/tidy_test.py plants a violation of each of them.
"""

import argparse
import pathlib
import sys

from tidy_rules import documents, layers, names, sizes, tests
from tidy_rules.tree import Tree

RULES = layers.RULES + sizes.RULES + names.RULES + tests.RULES + documents.RULES


def report(root):
    """Returns one line per violation, in the order of the rules."""
    tree = Tree(root)
    return [f"{path}:{line}: {name}: {message}" for name, rule in RULES for path, line, message in rule(tree)]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    lines = report(parser.parse_args().root)
    print("\n".join(lines) or "tidy")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
