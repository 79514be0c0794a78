"""That the runner's lines are read for what they say."""

import pytest

from conformance.suite import CATEGORIES, Category, Results, category_of, mended, read_exceptions, unlisted

PRINTED = """
conformance test: name=Required.Proto3.JsonInput.A.ProtobufOutput, request=json_payload: "{}", response=
ERROR, test=Required.Proto3.JsonInput.A.ProtobufOutput: Output was not equivalent. request=json_payload: "{}"
conformance test: name=Required.Proto3.JsonInput.B.JsonOutput, request=json_payload: "name=x", response=
conformance test: name=Recommended.C.JsonOutput, request=protobuf_payload: "", response=skipped: "no"
SKIPPED, test=Recommended.C.JsonOutput request=protobuf_payload: "", response=skipped: "no"
conformance test: name=Required.Proto3.ProtobufInput.D.ProtobufOutput, request=protobuf_payload: "", response=
"""


def test_results_are_read_from_the_runners_lines():
    results = Results(PRINTED)
    assert set(results.failed) == {"Required.Proto3.JsonInput.A.ProtobufOutput"}
    assert results.failed["Required.Proto3.JsonInput.A.ProtobufOutput"].startswith("Output was not equivalent.")
    assert results.passed == {"Required.Proto3.JsonInput.B.JsonOutput"}
    assert results.skipped == {"Recommended.C.JsonOutput"}
    assert len(results.all) == 3
    assert results.of(Category("required", "proto3", "JSON to JSON")) == results.passed


def test_a_failure_is_listed_or_told():
    results, category = Results(PRINTED), Category("required", "proto3", "JSON to protobuf")
    name = "Required.Proto3.JsonInput.A.ProtobufOutput"
    assert unlisted(results, category, {}) == [f"{name}: {results.failed[name]}"]
    assert unlisted(results, category, {name: "a reason"}) == []
    assert unlisted(results, Category("required", "proto3", "JSON to JSON"), {}) == []


def test_an_exception_fails_or_is_told():
    results = Results(PRINTED)
    assert mended(results, {"Required.Proto3.JsonInput.A.ProtobufOutput": "a reason"}) == []
    passing = ["Required.Proto3.JsonInput.B.JsonOutput", "Required.Proto3.JsonInput.NoTest"]
    assert mended(results, dict.fromkeys(passing, "a reason")) == passing


def test_an_exception_has_a_reason():
    assert read_exceptions("# words\n\nproxy A.B  # a reason\n") == {"proxy": {"A.B": "a reason"}}
    with pytest.raises(AssertionError):
        read_exceptions("proxy A.B\n")


@pytest.mark.parametrize(
    "name, category",
    [
        ("Required.Proto3.JsonInput.X.ProtobufOutput", ("required", "proto3", "JSON to protobuf")),
        ("Required.Proto3.JsonInput.X.JsonOutput", ("required", "proto3", "JSON to JSON")),
        ("Recommended.Proto2.JsonInput.X.Validator", ("recommended", "proto2", "JSON to JSON")),
        ("Recommended.Proto3.JsonInput.X", ("recommended", "proto3", "JSON that is to be refused")),
        ("Required.Proto3.ProtobufInput.X.JsonOutput", ("required", "proto3", "protobuf to JSON")),
        ("Recommended.X.JsonOutput", ("recommended", "proto3", "protobuf to JSON")),
    ],
)
def test_a_test_stands_in_one_category(name, category):
    assert category_of(name) == Category(*category)
    assert category_of(name) in CATEGORIES
