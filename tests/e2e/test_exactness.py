"""Values at their limits through the running proxy, both ways: what the replica gets is compared as protobuf, with
messages that protobuf's text format made. Every refusal is 400 and never reaches the replica.
"""

import json

import pytest
from google.protobuf import text_format

from support.processes import ROOT
from support.protos import Protos
from support.py_predictor import PyServer
from support.servers import Proxy, demo_config


def wire(message):
    """Tells NaN, -0.0 and presence apart, which == does not."""
    return message.SerializeToString(deterministic=True)


class Bytes:
    """An answer of the replica as it goes over the wire."""

    def __init__(self, data):
        self.data = data

    def SerializeToString(self):
        return self.data


class Kinds:
    def __init__(self, folder):
        self.protos = Protos(["kinds_service.proto"], [ROOT / "tests" / "data"])
        self.received = []
        self.reply = None
        self.server = PyServer(self.protos, "kinds.Kinds", {"Echo": self._echo})
        config = demo_config([self.server])
        strict = {"match": {"path_prefix": "/strict"}, "json": {"strict_bindings": True}}
        config["routes"] = [{"service": "kinds.Kinds", "backend": "predictor", **more} for more in ({}, strict)]
        self.proxy = Proxy(config, folder)

    def stop(self):
        code = self.proxy.stop()
        self.server.stop()
        assert code == 0, self.proxy.output()

    def _echo(self, request, _):
        self.received.append(request)
        return request if self.reply is None else Bytes(self.reply)

    def message(self, text):
        return text_format.Parse(text, self.protos.message("kinds.All")(), descriptor_pool=self.protos.pool)

    def ask(self, method, target, body=None, reply=None):
        self.reply, before = reply, len(self.received)
        body = body.encode() if isinstance(body, str) else body
        answer = self.proxy.fetch(target, body, method)
        return answer, self.received[before:]

    def check_read(self, text, body=None, method="POST", target="/all"):
        answer, got = self.ask(method, target, body)
        assert answer.status == 200, answer
        assert [wire(one) for one in got] == [wire(self.message(text))]

    def check_refused(self, body=None, method="POST", target="/all", status=400):
        answer, got = self.ask(method, target, body)
        assert (answer.status, got) == (status, []), answer


@pytest.fixture(scope="module")
def kinds(tmp_path_factory):
    served = Kinds(tmp_path_factory.mktemp("kinds"))
    yield served
    served.stop()


SIGNED32, SIGNED64 = (-(2**31), 2**31 - 1), (-(2**63), 2**63 - 1)
INTEGERS = {
    **dict.fromkeys(("int32", "sint32", "sfixed32"), SIGNED32),
    **dict.fromkeys(("int64", "sint64", "sfixed64"), SIGNED64),
    **dict.fromkeys(("uint32", "fixed32"), (0, 2**32 - 1)),
    **dict.fromkeys(("uint64", "fixed64"), (0, 2**64 - 1)),
}


@pytest.mark.parametrize("kind", INTEGERS)
def test_an_integer_is_exact_to_its_limits_in_every_notation(kinds, kind):
    low, high = INTEGERS[kind]
    for value in (low, low + 1, 1, high - 1, high):
        for form in ("%d", '"%d"', "%d.0", "%de0", '"%d.000"', "%d0e-1", '"%dE+0"'):
            text = "0" if form % value == "00e-1" else form % value
            kinds.check_read(f"f_{kind}: {value}", f'{{"f_{kind}": {text}}}')
            kinds.check_read(f"r_{kind}: {value}", f'{{"r_{kind}": [{text}]}}')
        kinds.check_read(f"f_{kind}: {value}", method="GET", target=f"/all?f_{kind}={value}")
    for value in (low - 1, high + 1, high * 10):
        for form in ("%d", '"%d"', "%d.0"):
            kinds.check_refused(f'{{"f_{kind}": {form % value}}}')
        kinds.check_refused(method="GET", target=f"/all?f_{kind}={value}")


BAD_NUMBERS = ["+5", "05", "1.", ".5", "1e", "-", "1e400", "NaN", "Infinity", "true", '""', '" 1"', '"1 "', '"+1"',
               '"05"', '"0x1"', '"1."', '".5"', '"1_0"', '"nan"', '"1e400"']  # fmt: skip


@pytest.mark.parametrize("text", BAD_NUMBERS)
def test_what_is_no_number_is_refused_for_every_kind(kinds, text):
    for field in [*(f"f_{kind}" for kind in INTEGERS), "f_double", "f_float", "w_int32", "w_double"]:
        kinds.check_refused(f'{{"{field}": {text}}}')


DOUBLES = {
    "1.7976931348623157e308": "1.7976931348623157e308",
    "1.7976931348623158e308": "1.7976931348623157e308",
    "4.9406564584124654e-324": "5e-324",
    "2.4703282292062328e-324": "5e-324",
    "-1e-400": "-0.0",
    "-0": "-0.0",
    '"-0"': "-0.0",
    '"NaN"': "nan",
    '"-Infinity"': "-inf",
    "123456789012345678901234567890": "1.2345678901234568e29",
}
# The nearest float of the decimal text, which is not always that of its double.
FLOATS = {
    "3.4028235e38": "3.4028234663852886e38",
    "3.40282356e38": "3.4028234663852886e38",
    "7.1e-46": "1.401298464324817e-45",
    "1.00000005960464477539062500000001": "1.00000011920929",
    "1.000000059604644775390625": "1.0",
    "16777217": "16777216",
    "16777217.0000000001": "16777218",
    "2147483583": "2147483520",
    "-0.0": "-0.0",
}


def test_a_double_and_a_float_are_the_nearest_of_the_text(kinds):
    for field, table in (("double", DOUBLES), ("float", FLOATS)):
        for text, value in table.items():
            kinds.check_read(f"f_{field}: {value}", f'{{"f_{field}": {text}}}')
            kinds.check_read(f"r_{field}: {value}", f'{{"r_{field}": [{text}]}}')
    for field, text in (("double", "1.7976931348623159e308"), ("float", "3.4028236e38"), ("float", "-3.4e39")):
        kinds.check_refused(f'{{"f_{field}": {text}}}')
        kinds.check_refused(f'{{"r_{field}": [{text}]}}')


LONE = ["\\ud800", "\\udc00", "\\ude00\\ud83d", "\\ud83dx", "\\ud83d\\u0041", "\\x", "\\u12g4", "\t", "\x00"]
NOT_UTF8 = [b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82", b"\x80"]


@pytest.mark.parametrize("text", [*LONE, *NOT_UTF8])
def test_text_that_is_not_unicode_is_refused_wherever_it_stands(kinds, text):
    text = text.encode() if isinstance(text, str) else text
    for before, after in (('{"f_string": "', '"}'), ('{"m_string": {"', '": ""}}'), ('{"w_value": ["', '"]}'),
                          ('{"w_struct": {"', '": 1}}'), ('{"w_string": "', '"}'), ('{"f_bytes": "', '"}'),
                          ('{"', '": 1}')):  # fmt: skip
        kinds.check_refused(before.encode() + text + after.encode())


@pytest.mark.parametrize("number", [14, 34, 62, 72, 120])
@pytest.mark.parametrize("text", NOT_UTF8)
def test_text_of_the_replica_that_is_not_unicode_is_its_fault(kinds, number, text):
    tag = number << 3 | 2
    field = (bytes([tag]) if tag < 128 else bytes([tag & 127 | 128, tag >> 7])) + bytes([len(text)]) + text
    answer, _ = kinds.ask("POST", "/all", "{}", field)
    assert (answer.status, answer.json()["code"]) == (500, 13)


def test_nul_and_pairs_of_surrogates_are_text(kinds):
    kinds.check_read(r'f_string: "\000\360\237\230\200"', '{"f_string": "\\u0000\\ud83d\\ude00"}')
    assert kinds.ask("GET", "/string/%00")[0].text == '{"fString":"\\u0000"}'


@pytest.mark.parametrize("text", ["__8", "__8=", "//8", "//8="])
def test_base64_is_read_in_its_four_forms_and_written_in_one(kinds, text):
    answer, got = kinds.ask("POST", "/all", json.dumps({"f_bytes": text}))
    assert (answer.text, got[0].f_bytes) == ('{"fBytes":"//8="}', b"\xff\xff")
    assert kinds.ask("GET", f"/all?f_bytes={text}")[0].text == answer.text


@pytest.mark.parametrize("text", ["A", "AA=", "AAA==", "=", "AAAA=", "AA==AA", "//8 ", "/*8="])
def test_what_is_not_base64_is_refused(kinds, text):
    for field in ("f_bytes", "w_bytes", "one_bytes"):
        kinds.check_refused(json.dumps({field: text}))


TIMES = {
    "0001-01-01T00:00:00Z": (-62135596800, 0, "0001-01-01T00:00:00Z"),
    "9999-12-31T23:59:59.999999999Z": (253402300799, 999999999, "9999-12-31T23:59:59.999999999Z"),
    "2020-01-01T00:00:00+01:00": (1577833200, 0, "2019-12-31T23:00:00Z"),
    "2020-02-29T00:00:00.1Z": (1582934400, 100000000, "2020-02-29T00:00:00.100Z"),
    "1969-12-31T23:59:59.5Z": (-1, 500000000, "1969-12-31T23:59:59.500Z"),
}
SPANS = {
    "315576000000s": (315576000000, 0, "315576000000s"),
    "-315576000000s": (-315576000000, 0, "-315576000000s"),
    "-0.5s": (0, -500000000, "-0.500s"),
    "0.000000001s": (0, 1, "0.000000001s"),
    "-1.000001s": (-1, -1000, "-1.000001s"),
}
BAD_TIMES = ["0000-01-01T00:00:00Z", "10000-01-01T00:00:00Z", "2021-02-29T00:00:00Z", "1900-02-29T00:00:00Z",
             "2020-13-01T00:00:00Z", "2020-01-01T24:00:00Z", "2020-01-01T00:00:00", "2020-01-01T00:00:00.Z",
             "2020-01-01T00:00:00.1234567890Z", "0001-01-01T00:00:00+00:01", "9999-12-31T23:59:59-00:01",
             "2020-01-01T00:00:00+24:00", " 2020-01-01T00:00:00Z", ""]  # fmt: skip
BAD_SPANS = ["315576000001s", "-315576000001s", "1", "s", "1m", "1.s", "1.0000000000s", "--1s", "1e3s", "-s", ""]


def test_times_and_spans_are_read_and_written_to_their_limits(kinds):
    for field, name, table in (("w_timestamp", "wTimestamp", TIMES), ("w_duration", "wDuration", SPANS)):
        for text, (seconds, nanos, written) in table.items():
            kinds.check_read(f"{field} {{ seconds: {seconds} nanos: {nanos} }}", json.dumps({field: text}))
            assert kinds.ask("POST", "/all", json.dumps({field: text}))[0].json() == {name: written}
    for field, texts in (("w_timestamp", BAD_TIMES), ("w_duration", BAD_SPANS)):
        for text in texts:
            kinds.check_refused(json.dumps({field: text}))


@pytest.mark.parametrize(
    "text",
    ["w_timestamp { seconds: 253402300800 }", "w_timestamp { seconds: -62135596801 }", "w_timestamp { nanos: -1 }",
     "w_duration { seconds: 315576000001 }", "w_duration { seconds: 1 nanos: -1 }", "w_duration { nanos: 1000000000 }"],
)  # fmt: skip
def test_a_time_of_the_replica_beyond_its_limits_is_its_fault(kinds, text):
    answer, _ = kinds.ask("POST", "/all", "{}", kinds.message(text).SerializeToString())
    assert (answer.status, answer.json()["code"]) == (500, 13)


SUB = '"@type": "type.googleapis.com/kinds.Sub"'


def nested(name, depth):
    """An object of so many levels."""
    return f'{{"{name}":' * (depth - 1) + "{}" + "}" * (depth - 1)


DEEP = {
    "messages": lambda depth: nested("f_all", depth),
    "an Any": lambda depth: f'{{"w_any": {{{SUB}, "sub": {nested("sub", depth - 2)}}}}}',
    "a late Any": lambda depth: f'{{"w_any": {{"sub": {nested("sub", depth - 2)}, {SUB}}}}}',
}


@pytest.mark.parametrize("of", DEEP)
def test_a_hundred_levels_pass_and_one_more_does_not(kinds, of):
    assert kinds.ask("POST", "/all", DEEP[of](100))[0].status == 200
    kinds.check_refused(DEEP[of](101))
    kinds.check_refused(DEEP[of](50000))


def test_a_deeper_answer_is_the_replicas_fault(kinds):
    def answer(depth):
        wire = b""
        for _ in range(depth - 1):
            length = len(wire)
            size = bytes([length]) if length < 128 else bytes([length & 127 | 128, length >> 7])
            wire = b"\xca\x07" + size + wire  # field 121, f_all
        return kinds.ask("POST", "/all", "{}", wire)[0]

    assert answer(100).text == "{" + '"fAll":{' * 99 + "}" * 100
    assert (answer(101).status, answer(101).json()["code"]) == (500, 13)


@pytest.mark.parametrize(
    "body",
    ['{"f_int32": 1, "f_int32": 1}', '{"f_int32": 1, "fInt32": 1}', '{"f_int32": null, "f_int32": 1}',
     '{"f_int32": 1, "\\u0066_int32": 1}', '{"m_int32": {"1": 1, "1": 1}}', '{"w_struct": {"a": 1, "a": 1}}',
     '{"w_value": [{"a": 1, "a": 1}]}', f'{{"w_any": {{"num": 1, {SUB}, "num": 1}}}}',
     f'{{"w_any": {{{SUB}, {SUB}}}}}', '{"one_int32": 1, "one_string": ""}', '{"one_null": null, "one_int32": 1}',
     '{"one_value": null, "one_null": null}', '{"f_sub": {"left": "", "right": 0}}',
     '{"custom": "", "weird-Name": ""}', '{"weirdName": ""}'],
)  # fmt: skip
def test_a_member_or_a_oneof_given_twice_is_refused(kinds, body):
    kinds.check_refused(body)


def test_null_is_absence_but_for_the_fields_that_have_a_null(kinds):
    kept = {"w_value": "w_value { null_value: NULL_VALUE }", "one_value": "one_value { null_value: NULL_VALUE }",
            "one_null": "one_null: NULL_VALUE"}  # fmt: skip
    for field in kinds.message("").DESCRIPTOR.fields:
        kinds.check_read(kept.get(field.name, ""), f'{{"{field.name}": null}}')
        is_map = field.message_type and field.message_type.GetOptions().map_entry
        if field.is_repeated and not is_map and field.name not in ("rw_value", "rw_null"):
            kinds.check_refused(f'{{"{field.name}": [null]}}')
    for body in ('{"m_string": {"a": null}}', '{"m_fixed32": {"1": null}}'):
        kinds.check_refused(body)


def test_what_the_path_binds_is_taken_from_nowhere_else(kinds):
    for key in ("f_int64=9", "fInt64=9", "f%5Fint64=9", "fInt64=abc", "fInt64=9&f_int64=8"):
        kinds.check_read("f_int64: 5", method="GET", target=f"/int64/5?{key}")
        kinds.check_refused(method="GET", target=f"/strict/int64/5?{key}")
    for body in ('{"f_int64": 9}', '{"fInt64": "9"}', '{"f_int64": null}', '{"f_int64": {}}'):
        kinds.check_read("f_int64: 5", body, target="/int64/5")
        kinds.check_refused(body, target="/strict/int64/5")
    for body in ('{"f_sub": {"name": "b", "num": 4}}', '{"fSub": {"num": 4, "name": null}}'):
        kinds.check_read('f_sub { name: "a" num: 4 }', body, target="/sub/a")
    kinds.check_read('f_sub { name: "a" num: 4 } f_int32: 6', '{"num": 4}', target="/sub/a/in?f_int32=6&f_sub.opt=1")
    kinds.check_read("w_timestamp { seconds: 5 }", '{"w_timestamp": "2020-01-01T00:00:00Z"}', target="/time/5")
    kinds.check_refused('{"one_string": "x"}', target="/one/5")
    kinds.check_refused(method="GET", target="/one/5?one_string=x")


def test_a_path_is_decoded_once_and_its_values_are_exact(kinds):
    for text, value in (("a%2Fb", "a/b"), ("a%252Fb", "a%2Fb"), ("100%25", "100%"), ("a%3Ab", "a:b"), ("a+b", "a+b")):
        kinds.check_read(f'f_string: "{value}"', method="GET", target=f"/string/{text}")
    for text, value in (("-0.0", "-0.0"), ("NaN", "nan"), ("-Infinity", "-inf"), ("1.5e3", "1500")):
        kinds.check_read(f"f_double: {value}", method="GET", target=f"/double/{text}")
    kinds.check_read(r'f_bytes: "\377\377"', method="GET", target="/bytes/%2F%2F8%3D")
    for target in ("/string/%ff", "/string/%zz", "/string/%c0%80", "/double/1e400", "/double/nan", "/bytes/A"):
        kinds.check_refused(method="GET", target=target)
    for target in ("/string/", "/string//", "/string/a/b"):
        kinds.check_refused(method="GET", target=target, status=404)


def test_a_body_and_an_answer_may_be_any_field(kinds):
    for target, body in (
        ("/list", '[{"num":1},{}]'),
        ("/list", "[]"),
        ("/value", "null"),
        ("/value", '[1,{"a":null}]'),
        ("/any", '{"@type":"type.googleapis.com/kinds.Sub","num":1}'),
    ):
        answer, _ = kinds.ask("POST", target, body)
        assert (answer.status, answer.text) == (200, body)
    for target, body in (("/list", "{}"), ("/list", "null"), ("/list", "[null]"), ("/value", "[1,]"), ("/any", "[]")):
        kinds.check_refused(body, target=target)
