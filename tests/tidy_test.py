"""The tree is tidy, and tidy finds a violation of each of its rules."""

import pathlib

import pytest

import tidy

ROOT = pathlib.Path(__file__).resolve().parent.parent

SMALL_TREE = {
    "README.md": "The queue is `src/base/queue.h`, `Queue::push()` fills it.\n",
    "meson.build": "library('base', 'src/base/queue.cc')\nexecutable('base_test', 'tests/base/queue_test.cc')\n",
    "src/base/queue.h": '#pragma once\n#include <string>\nclass Queue {\n public:\n  void push(int item);\n};\n',
    "src/base/queue.cc": '#include "base/queue.h"\nvoid Queue::push(int item) { (void)item; }\n',
    "src/route/route.h": '#pragma once\n#include "base/queue.h"\n',
    "include/transom/schema.h": "#pragma once\n#include <string>\n",
    "tests/base/queue_test.cc": "TEST(Queue, holds_what_is_pushed) { EXPECT_EQ(1, 1); }\n",
    "tests/e2e/test_queue.py": "def test_queue():\n    assert True\n",
}

LONG_FUNCTION = "void grow() {\n" + "  step();\n" * 69 + "}\n"
LONG_PYTHON = "def grow():\n" + "    step()\n" * 70

PLANTS = [
    ("layer", "src/base/queue.h", '#pragma once\n#include "route/route.h"\n'),
    ("layer", "src/storage/disk.h", "#pragma once\n"),
    ("vendor", "src/route/route.h", "#include <nghttp2/nghttp2.h>\n"),
    ("vendor", "src/route/route.h", "#include <absl/strings/string_view.h>\n"),
    ("vendor", "src/base/queue.h", "#include <never/heard.h>\n"),
    ("vendor", "src/proxy/relay.h", '#include "transom/config/v1/config.pb.h"\n'),
    ("pure", "src/route/route.h", "#include <mutex>\n"),
    ("public", "include/transom/schema.h", '#include "base/queue.h"\n'),
    ("cycle", "src/base/queue.h", '#pragma once\n#include "base/queue.h"\n'),
    ("file-size", "src/route/route.h", "int x;\n" * 501),
    ("function-size", "src/route/route.h", LONG_FUNCTION),
    ("function-size", "src/route/route.h", "namespace a {\nstruct B {\n" + LONG_FUNCTION + "};\n}\n"),
    ("function-size", "tests/support/grow.py", LONG_PYTHON),
    ("banned-name", "src/route/route.h", "class UpstreamPool;\n"),
    ("banned-name", "src/route/route.h", "int open_connections() const;\n"),
    ("banned-name", "src/route/route.h", "class RouteManager {};\n"),
    ("banned-name", "tests/base/queue_test.cc", "struct FakeContext {};\nTEST(A, b) { EXPECT_TRUE(1); }\n"),
    ("banned-name", "tests/support/fake.py", "class ClusterFake:\n    pass\n"),
    ("banned-name", "proto/transom/config/v1/config.proto", "message Upstream {}\n"),
    ("banned-file", "src/route/route_utils.h", "#pragma once\n"),
    ("macro", "src/route/route.h", "#define RETURN_IF_ERROR(x) x\n"),
    ("decoration", "src/route/route.h", "// ---- helpers ----\n"),
    ("test-file", "src/route/router.cc", "int x;\n"),
    ("built", "tests/base/lost_test.cc", "TEST(A, b) { EXPECT_TRUE(1); }\n"),
    ("glob", "src/base/meson.build", "sources = files('*.cc')\n"),
    ("glob", "src/base/meson.build", "sources = run_command('find', '.')\n"),
    ("assertion", "tests/base/queue_test.cc", 'TEST(Queue, grows) { q.push(1); /* EXPECT_ */ f("EXPECT_"); }\n'),
    ("assertion", "tests/e2e/test_queue.py", "def test_queue():\n    print('assert')\n"),
    ("named-path", "README.md", "See `src/base/gone.h`.\n"),
    ("named-function", "docs/concepts.md", "It begins in `Queue::pop()`.\n"),
    ("workplace", "docs/concepts.md", "Read /work/shared/notes first.\n"),
    ("workplace", "dev", "curl https://pypi.org/simple\n"),
]

# Things that look like violations and are none.
INNOCENT = [
    ("src/http/h1_head.h", '#include <nghttp2/nghttp2.h>\n// a connection to the upstream\nauto k = "connection";\n'),
    ("src/control/reflection.h", "class Reflection {\n  grpc::ServerContext context;\n};\n"),
    ("src/http/h1_checks.h", "#include <emmintrin.h>\nvoid on_connection_options();\n"),
    ("src/base/fast.h", "#if defined(X)\n#endif\nnamespace a {\n" + "int f();\n" * 90 + "}\n"),
    ("src/log/level.h", "enum class Level { Debug, Info };\n"),
    ("src/base/table.h", "constexpr int kTable[] = {\n" + "1,\n" * 80 + "};\n"),
    ("tests/base/queue_test.cc", "TEST(Queue, x) { expect_same(1, 2); }\n"),
    ("README.md", "Send `application/json` to `/v1/models/{m}:predict`; the binary is `build/transom`.\n"),
]


def small_tree(folder, path=None, text=None):
    for name, content in {**SMALL_TREE, **({path: text} if path else {})}.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(content, encoding="utf-8")
    return folder


def rules_reported(folder):
    return [line.split(": ")[1] for line in tidy.report(folder)]


def test_the_tree_is_tidy():
    assert tidy.report(ROOT) == []


def test_the_small_tree_is_tidy(tmp_path):
    assert tidy.report(small_tree(tmp_path)) == []


@pytest.mark.parametrize("rule,path,text", PLANTS, ids=[f"{rule}-{i}" for i, (rule, _, _) in enumerate(PLANTS)])
def test_a_planted_violation_is_reported(tmp_path, rule, path, text):
    assert rule in rules_reported(small_tree(tmp_path, path, text))


@pytest.mark.parametrize("path,text", INNOCENT, ids=[path for path, _ in INNOCENT])
def test_an_innocent_likeness_is_not_reported(tmp_path, path, text):
    assert tidy.report(small_tree(tmp_path, path, text)) == []


def test_every_rule_has_a_plant():
    assert {name for name, _ in tidy.RULES} == {rule for rule, _, _ in PLANTS}
