"""googleapis/gapic-showcase's compliance suite through the proxy: every request on every RPC that its group names."""

import pytest

from support.rest_client import Style
from support.showcase import wire
from support.showcase_suite import OWN, ROWS, RULES, SUITE

COLON = 'info { f_string: "first/x" f_child { f_string: "second/a:b/:pathresource/[c]" } }'
STYLES = {
    "as the suite": Style(),
    "proto names": Style(proto_names=True),
    "numbers": Style(enum_numbers=True, bare_int64=True),
}


def test_no_request_of_the_suite_is_left_out():
    assert [len(requests) for _, requests in SUITE] == [7, 1, 3, 1, 1]
    assert len(ROWS) == len(set(ROWS)) == 7 * 6 + 1 * 4 + 3 * 1 + 1 * 4 + 1 * 2
    assert {rpc for rpc, _ in ROWS + OWN} | {"GetEnum", "VerifyEnum"} == set(RULES)


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rpc, name", ROWS)
def test_a_request_of_the_suite_arrives_and_is_repeated(showcase, rpc, name, style):
    message = showcase.replica.suite[name]
    answer = showcase.check_repeated(rpc, message, STYLES[style])
    intended = message.intended_binding_uri or RULES[rpc][0].template
    assert showcase.route_of(answer) == intended


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rpc, text", OWN)
def test_what_the_suite_has_no_request_for(showcase, rpc, text, style):
    showcase.check_repeated(rpc, showcase.replica.message("RepeatRequest", text), STYLES[style])


@pytest.mark.parametrize("rpc, text", [*ROWS, *OWN, ("RepeatDataPathTrailingResource", COLON)])
def test_a_client_that_writes_queries_like_forms_and_escapes_all_but_slashes(showcase, rpc, text):
    """Go's url.QueryEscape, Java's URLEncoder and Python's urlencode are such clients."""
    message = showcase.replica.suite.get(text) or showcase.replica.message("RepeatRequest", text)
    showcase.check_repeated(rpc, message, Style(plus_spaces=True), "/forms")


@pytest.mark.parametrize("rpc, name", ROWS)
def test_answers_are_what_protobufs_own_json_code_writes(showcase, rpc, name):
    message = showcase.replica.suite[name]
    for prefix, style in (("", Style()), ("/names", Style(proto_names=True)), ("/numbers", Style(enum_numbers=True))):
        answer = showcase.check_repeated(rpc, message, prefix=prefix)
        assert answer.json() == {"request": style.as_json(message)}


@pytest.mark.parametrize("unknown", [False, True])
@pytest.mark.parametrize("prefix", ["", "/numbers"])
def test_an_enum_goes_there_and_back_known_or_not(showcase, unknown, prefix):
    wanted = showcase.replica.message("EnumRequest", f"unknown_enum: {'true' if unknown else 'false'}")
    answer, got = showcase.send("GetEnum", wanted, prefix=prefix)
    assert answer.status == 200 and got == ("GetEnum", wanted), answer
    number = showcase.replica.unknown_continent if unknown else showcase.replica.known_continent
    assert showcase.read("EnumResponse", answer).continent == number
    assert isinstance(answer.json()["continent"], int if unknown or prefix else str)

    # The client sends the text that it was given.
    asked = "true" if unknown else "false"
    query = f"?request.unknownEnum={asked}&continent={answer.json()['continent']}"
    back, got = showcase.fetch("POST", f"{prefix}/v1beta1/compliance/enum{query}")
    assert back.status == 200 and back.json() == answer.json(), back
    assert got == ("VerifyEnum", showcase.read("EnumResponse", answer))
    other, got = showcase.fetch("POST", "/v1beta1/compliance/enum?continent=0")
    assert (other.status, other.json()["code"], got[0]) == (500, 2, "VerifyEnum")


PRESENCE = [
    ("Zero values for all fields", "name", "modified name"),
    ("Zero values for all fields", "p_bool", None),
    ("Basic types, no optional fields", "p_bool", False),
    ("Zero values for all fields", "p_string", None),
    ("Basic types, no optional fields", "p_string", ""),
    ("Zero values for all fields", "p_int32", None),
    ("Basic types, no optional fields", "p_int32", 0),
]


@pytest.mark.parametrize("rpc", ["RepeatDataBody", "RepeatDataQuery"])
@pytest.mark.parametrize("name, field, value", PRESENCE)
def test_the_replica_sees_a_field_that_is_there_and_one_that_is_not(showcase, rpc, name, field, value):
    message = showcase.replica.message("RepeatRequest")
    message.CopyFrom(showcase.replica.suite[name])
    owner = message if field == "name" else message.info
    owner.ClearField(field) if value is None else setattr(owner, field, value)
    answer, got = showcase.send(rpc, message)
    assert wire(got[1]) == wire(message)
    assert (answer.status, answer.json()["code"]) == (500, 2), "the replica's own verdict"
