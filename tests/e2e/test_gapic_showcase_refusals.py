"""What the REST server of googleapis/gapic-showcase refuses, so that generated clients write requests in one way only.

A proxy serves other clients too: where it takes more than that server, docs/gapic-showcase.md has the row and the
reason. Each row is here with what the proxy does.
"""

import json

import pytest

from support.http1 import RawSession
from support.rest_client import write_request
from support.showcase import wire
from support.showcase_suite import BODY, ROWS, RULES

QUERY = "/v1beta1/repeat:query"
BY_PATH = ("RepeatDataSimplePath", "RepeatDataPathResource")
OTHER = {"info.fString": "other", "info.f_string": "other", "info%2EfString": "other", "info.fBool": "true"}


def check_refused(answer, got, status=400, code=3):
    assert (answer.status, answer.json()["code"]) == (status, code), answer
    assert got is None, "nothing may reach the replica"


def check_passed_over_or_refused(showcase, rpc, message, more):
    """A key of the query that another source has set: without effect, or refused in strict mode."""
    request = write_request(message, RULES[rpc])
    target = request.target + ("&" if "?" in request.target else "?") + more
    answer, got = showcase.fetch(request.rule.method, target, request.body)
    assert answer.status == 200, answer
    assert wire(got[1]) == wire(message)
    check_refused(*showcase.fetch(request.rule.method, "/strict" + target, request.body))


@pytest.mark.parametrize("key", OTHER)
@pytest.mark.parametrize("rpc, name", [row for row in ROWS if row[0] in BY_PATH])
def test_a_field_bound_by_the_path_is_never_taken_from_the_query(showcase, rpc, name, key):
    check_passed_over_or_refused(showcase, rpc, showcase.replica.suite[name], f"{key}={OTHER[key]}")


@pytest.mark.parametrize("rpc, name", [row for row in ROWS if row[0] == "RepeatDataBodyInfo"])
def test_a_field_of_the_body_is_never_taken_from_the_query(showcase, rpc, name):
    message = showcase.replica.suite[name]
    as_query = write_request(message, RULES["RepeatDataQuery"]).target.partition("?")[2]
    in_info = "&".join(pair for pair in as_query.split("&") if pair.startswith("info."))
    check_passed_over_or_refused(showcase, rpc, message, in_info)
    check_passed_over_or_refused(showcase, rpc, message, "info.fUint32=77")


@pytest.mark.parametrize("key", ["fInt32", "info.pInt32", "name"])
@pytest.mark.parametrize("rpc, name", [row for row in ROWS if row[0] in BODY])
def test_a_whole_body_leaves_nothing_to_the_query(showcase, rpc, name, key):
    check_passed_over_or_refused(showcase, rpc, showcase.replica.suite[name], f"{key}=4")


@pytest.mark.parametrize("rpc, name", [row for row in ROWS if RULES[row[0]][0].method == "GET"])
def test_the_body_of_a_get_is_passed_over(showcase, rpc, name):
    message = showcase.replica.suite[name]
    request = write_request(message, RULES[rpc])
    body = b'{"name": "other", "fInt32": 5}'
    answer, got = showcase.fetch("GET", request.target, body)
    assert answer.status == 200 and wire(got[1]) == wire(message)
    check_refused(*showcase.fetch("GET", "/strict" + request.target, body))


INTEGERS = {
    "Int32": ["2147483648", "-2147483649"],
    "Sint32": ["2147483648", "-2147483649"],
    "Sfixed32": ["2147483648", "-2147483649"],
    "Uint32": ["4294967296", "-1"],
    "Fixed32": ["4294967296", "-1"],
    "Int64": ["9223372036854775808", "-9223372036854775809"],
    "Sint64": ["9223372036854775808", "-9223372036854775809"],
    "Sfixed64": ["9223372036854775808", "-9223372036854775809"],
    "Uint64": ["18446744073709551616", "-1"],
    "Fixed64": ["18446744073709551616", "-1"],
}
BAD_VALUES = [
    (f"{presence}{kind}", value)
    for kind, values in INTEGERS.items()
    for value in [*values, "hello", "1.1", "1.0", "1e2", "0x10", "", "%205", "%2B5"]
    for presence in ("f", "p")
] + [
    ("fFloat", "hello"),
    ("fDouble", "hello"),
    ("fFloat", "1e39"),
    ("fDouble", "1e309"),
    ("fBool", "hello"),
    ("fBool", "13"),
    ("fBool", "1"),
    ("fBool", "True"),
    ("fBool", ""),
    ("pKingdom", "EXTRATERRESTRIAL"),
    ("pKingdom", "animalia"),
    ("fString", "%ff"),
    ("fString", "%zz"),
    ("fBytes", "***"),
]


@pytest.mark.parametrize("field, value", BAD_VALUES)
def test_a_value_that_is_not_its_fields_is_refused(showcase, field, value):
    answer, got = showcase.fetch("GET", f"{QUERY}?info.{field}={value}")
    check_refused(answer, got)
    assert field in answer.json()["message"]


@pytest.mark.parametrize(
    "field_path",
    [".fString", "info..fString", "info.", "info.x", "info.x.fString", "info.fString.fChild", "info.fChild", "info",
     "info.FString", "info.fChild.fChild", "info.PKingdom", "info.p-kingdom", "customKebabName", "$foo", "foo"],
)  # fmt: skip
def test_a_key_that_names_no_single_field_is_refused(showcase, field_path):
    check_refused(*showcase.fetch("GET", f"{QUERY}?{field_path}=hi"))


def test_a_single_field_is_given_once(showcase):
    check_refused(*showcase.fetch("GET", f"{QUERY}?info.fInt32=1&info.fInt32=1"))
    check_refused(*showcase.fetch("GET", f"{QUERY}?info.fInt32=1&info.f_int32=1"))


def test_a_raw_space_in_the_target_is_refused(showcase):
    before = len(showcase.replica.received)
    with RawSession(showcase.proxy.address) as session:
        session.send(f"GET {QUERY}?info.fString=jonas mila HTTP/1.1\r\nhost: x\r\n\r\n".encode())
        assert session.answer().status == 400
    assert len(showcase.replica.received) == before


@pytest.mark.parametrize("value", ['"MONACO"', '"56"', '"56Abacus"', '""', "1.5", "true", "[]", "2147483648"])
@pytest.mark.parametrize("field", ["fKingdom", "pKingdom"])
def test_a_body_names_an_enum_by_its_name_or_number(showcase, field, value):
    body = f'{{"info": {{"fString": "hi", "{field}": {value}}}}}'.encode()
    check_refused(*showcase.fetch("POST", "/v1beta1/repeat:body", body))


@pytest.mark.parametrize("text, name", [("FUNGI", "FUNGI"), ("4", "FUNGI"), ("56", 56), ("-1", -1)])
@pytest.mark.parametrize("field", ["fKingdom", "pKingdom"])
def test_an_enum_is_read_by_name_and_by_number(showcase, field, text, name):
    answer, _ = showcase.fetch("GET", f"{QUERY}?info.{field}={text}")
    assert answer.json() == {"request": {"info": {field: name}}}
    body = json.dumps({"info": {field: text if text.isalpha() else int(text)}}).encode()
    answer, _ = showcase.fetch("POST", "/v1beta1/repeat:body", body)
    assert answer.json() == {"request": {"info": {field: name}}}


def test_a_key_of_the_query_is_decoded_once(showcase):
    for text in ("jonas^mila", "jonas%5Emila", "jonas%5emila"):
        answer, _ = showcase.fetch("GET", f"{QUERY}?info.fString={text}")
        assert answer.json()["request"]["info"]["fString"] == "jonas^mila"
    check_refused(*showcase.fetch("GET", f"{QUERY}?info.fString%3Djonas=xyz"))
    check_refused(*showcase.fetch("GET", f"{QUERY}?info%252EfString=jonas"))


def test_members_without_presence_are_printed_when_asked_for(showcase):
    body = b'{"info": {"fString": "jonas^ mila", "pDouble": 0}}'
    answer, _ = showcase.fetch("POST", "/full/v1beta1/repeat:body", body)
    zeros = {name: 0 for name in ("fInt32", "fSint32", "fSfixed32", "fUint32", "fFixed32", "fDouble", "fFloat")}
    texts = {name: "0" for name in ("fInt64", "fSint64", "fSfixed64", "fUint64", "fFixed64")}
    other = {"fBool": False, "fBytes": "", "fKingdom": "LIFE_KINGDOM_UNSPECIFIED", "customPath": ""}
    # That server prints `"fChild": null` as well; a message has presence.
    details = {**zeros, **texts, **other, "fString": "jonas^ mila", "pDouble": 0}
    top = {"name": "", "serverVerify": False, "fInt32": 0, "fInt64": "0", "fDouble": 0, "customKebab": ""}
    assert answer.json() == {"request": {**top, "info": details}, "bindingUri": ""}


@pytest.mark.parametrize("key", ["$alt", "%24alt"])
@pytest.mark.parametrize(
    "value,kingdom",
    [
        ("json", "FUNGI"),
        ("json%3Benum-encoding=int", 4),
        ("json%3Benum-encoding%3Dint", 4),
        ("json;enum-encoding=int", 4),
        ("proto", None),
        ("json;enum-encoding=name", None),
        ("", None),
    ],
)
def test_a_system_parameter_asks_for_enums_as_numbers(showcase, key, value, kingdom):
    for query in (f"info.pKingdom=FUNGI&{key}={value}", f"{key}={value}&info.pKingdom=FUNGI"):
        answer, got = showcase.fetch("GET", f"{QUERY}?{query}")
        if kingdom is None:
            check_refused(answer, got)
        else:
            assert answer.json() == {"request": {"info": {"pKingdom": kingdom}}}
    check_refused(*showcase.fetch("GET", f"{QUERY}?info.pKingdom=FUNGI&alt={value}"))


def test_the_content_type_is_json(showcase):
    for value in ("application/json", "Application/JSON; charset=utf-8"):
        answer, got = showcase.fetch("POST", "/v1beta1/repeat:body", b"{}", {"content-type": value})
        assert answer.status == 200 and got[0] == "RepeatDataBody"
    for value in ("text/plain", "application/x-www-form-urlencoded"):
        check_refused(*showcase.fetch("POST", "/v1beta1/repeat:body", b"{}", {"content-type": value}), status=415)


def test_a_client_that_names_no_content_type_and_no_library_is_served(showcase):
    before = len(showcase.replica.received)
    with RawSession(showcase.proxy.address) as session:
        session.send(b"POST /v1beta1/repeat:body HTTP/1.1\r\nhost: x\r\ncontent-length: 12\r\n\r\n" b'{"fInt32":4}')
        assert session.answer().json() == {"request": {"fInt32": 4}}
    assert len(showcase.replica.received) == before + 1
    showcase.fetch("POST", "/v1beta1/repeat:body", b"{}", {"x-goog-api-client": "rest/0.0.0 gapic/0.0.0"})
    assert showcase.replica.server.metadata()["x-goog-api-client"] == "rest/0.0.0 gapic/0.0.0"


def test_a_method_is_what_the_request_line_says(showcase):
    override = {"x-http-method-override": "PATCH"}
    answer, got = showcase.fetch("POST", "/v1beta1/repeat:bodypatch", b"{}", override)
    check_refused(answer, got, status=405, code=12)
    assert "PATCH" in answer.headers["allow"]


def test_errors_come_in_the_envelope_of_aip_193_when_asked_for(showcase):
    for target, code, status in (
        (f"/forms{QUERY}?name=x&serverVerify=true", 500, "UNKNOWN"),  # the replica's own
        (f"/forms{QUERY}?info.fInt32=x", 400, "INVALID_ARGUMENT"),
    ):
        answer, _ = showcase.fetch("GET", target)
        error = answer.json()["error"]
        assert (answer.status, error["code"], error["status"]) == (code, code, status)
