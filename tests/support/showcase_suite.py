"""The compliance suite of googleapis/gapic-showcase as a table of our own.

The requests are those of server/services/compliance_suite.json at commit 0f0aacc9dd9ab149d472b76aa240ebbe90bdd80d, each
with the RPCs that its group names. Here they stand in protobuf's text format, so that no JSON code has read them.
"""

from support.rest_client import Rule

PATH = "/v1beta1/repeat"
FIRST = "{info.f_string=first/*}/{info.f_child.f_string=second/*}/bool/{info.f_bool}:pathresource"
CHILD_FIRST = "{info.f_child.f_string=first/*}/{info.f_string=second/*}/bool/{info.f_bool}:childfirstpathresource"
SIMPLE = "{info.f_string}/{info.f_int32}/{info.f_double}/{info.f_bool}/{info.f_kingdom}:simplepath"
TRAILING = "{info.f_string=first/*}/{info.f_child.f_string=second/**}:pathtrailingresource"

# As in tests/data/showcase.proto; written again, so that the tests do not ask the schema what the schema says.
RULES = {
    "RepeatDataBody": [Rule("POST", f"{PATH}:body", "*")],
    "RepeatDataBodyInfo": [Rule("POST", f"{PATH}:bodyinfo", "info")],
    "RepeatDataBodyPut": [Rule("PUT", f"{PATH}:bodyput", "*")],
    "RepeatDataBodyPatch": [Rule("PATCH", f"{PATH}:bodypatch", "*")],
    "RepeatDataQuery": [Rule("GET", f"{PATH}:query")],
    "RepeatDataSimplePath": [Rule("GET", f"{PATH}/{SIMPLE}")],
    "RepeatDataPathResource": [Rule("GET", f"{PATH}/{FIRST}"), Rule("GET", f"{PATH}/{CHILD_FIRST}")],
    "RepeatDataPathTrailingResource": [Rule("GET", f"{PATH}/{TRAILING}")],
    "GetEnum": [Rule("GET", "/v1beta1/compliance/enum")],
    "VerifyEnum": [Rule("POST", "/v1beta1/compliance/enum")],
}

BODY = ["RepeatDataBody", "RepeatDataBodyPut", "RepeatDataBodyPatch"]
NO_RESOURCES = [*BODY, "RepeatDataQuery", "RepeatDataSimplePath", "RepeatDataBodyInfo"]

BASIC = """
    f_string: "Hello" f_int32: -1 f_sint32: -2 f_sfixed32: -3 f_uint32: 5 f_fixed32: 7 f_int64: -11 f_sint64: -13
    f_sfixed64: -17 f_uint64: 19 f_fixed64: 23 f_double: -290000 f_float: -31 f_bool: true f_kingdom: ANIMALIA
    f_child { f_string: "second/bool/salutation" }"""
RESOURCES = 'info { f_string: "first/hello" p_bool: true f_child { f_string: "second/greetings" } }'
# The suite writes the zeros of members without presence too; they are not there in a message.
SUITE = [
    (
        NO_RESOURCES,
        {
            "Basic data types": f"""
                info {{ {BASIC} p_string: "Goodbye" p_int32: -37 p_double: -41.43 p_bool: true p_kingdom: PLANTAE }}
                f_int32: -10 f_int64: -110 f_double: -540000 p_int32: -47 p_int64: -477 p_double: -61.73""",
            "Basic types, no optional fields": f"info {{ {BASIC} }}",
            "Zero values for non-string fields": """info {
                f_string: "Hello" p_string: "Goodbye" p_int32: 0 p_double: 0 p_bool: false
                p_kingdom: LIFE_KINGDOM_UNSPECIFIED }""",
            "Extreme values": r"""info {
                f_string: "non-ASCII+non-printable string \342\230\272 \342\206\222 \342\206\220 "
                    "\"\\/\b\f\r\t\341\210\264 works, not newlines yet"
                f_int32: 2147483647 f_sint32: 2147483647 f_sfixed32: 2147483647 f_uint32: 4294967295
                f_fixed32: 4294967295 f_int64: 9223372036854775807 f_sint64: 9223372036854775807
                f_sfixed64: 9223372036854775807 f_uint64: 18446744073709551615 f_fixed64: 18446744073709551615
                f_double: 1.7976931348623157e308 f_float: 3.4028234663852886e38
                p_string: "Goodbye" p_int32: 2147483647 p_double: 1.7976931348623157e308 p_bool: false }""",
            "Strings with spaces": 'info { f_string: "Hello there" }',
            "Strings with quotes": r'info { f_string: "Hello \"You\"" }',
            "Strings with percents": 'info { f_string: "Hello 100%" }',
        },
    ),
    (
        [*BODY, "RepeatDataQuery"],
        {
            "Strings with slashes and values that resemble subsequent resource templates": """info {
                f_string: "first/hello/second/greetings" p_bool: true f_child { f_string: "second/zzz/bool/true" } }""",
        },
    ),
    (
        ["RepeatDataPathResource"],
        {
            "Binding testing baseline no Uri verification": RESOURCES,
            "Binding testing first binding": f'{RESOURCES} intended_binding_uri: "{PATH}/{FIRST}"',
            "Binding testing additional binding": f"""
                info {{ f_string: "second/greetings" p_bool: true f_child {{ f_string: "first/hello" }} }}
                intended_binding_uri: "{PATH}/{CHILD_FIRST}" """,
        },
    ),
    (
        [*BODY, "RepeatDataQuery"],
        {
            "Zero values for all fields": """
                info { f_fixed64: 20 p_string: "" p_int32: 0 p_double: 0 p_bool: false }""",
        },
    ),
    (
        ["RepeatDataQuery", "RepeatDataSimplePath"],
        {
            "JsonNameTesting": """
                info { f_string: "test" custom_path_field: "kebab-path-value" }
                custom_kebab_name: "kebab-query-value" """,
        },
    ),
]
ROWS = [(rpc, name) for rpcs, requests in SUITE for name in requests for rpc in rpcs]

# What the suite has no request for: the other ends of the ranges, every field, a newline, the trailing resource.
LOWEST = r"""info {
    f_string: "-\n\000\177 \360\237\230\200" f_int32: -2147483648 f_sint32: -2147483648 f_sfixed32: -2147483648
    f_int64: -9223372036854775808 f_sint64: -9223372036854775808 f_sfixed64: -9223372036854775808
    f_double: -1.7976931348623157e308 f_float: -3.4028234663852886e38 f_bytes: "\000\376\377\276" f_kingdom: FUNGI
    p_string: "" p_int32: -2147483648 p_sint32: -2147483648 p_sfixed32: -2147483648 p_uint32: 0 p_fixed32: 4294967295
    p_int64: -9223372036854775808 p_sint64: 0 p_sfixed64: 9007199254740993 p_uint64: 18446744073709551615 p_fixed64: 0
    p_float: 1e-45 p_double: 5e-324 p_bool: false p_kingdom: ANIMALIA
    p_child { p_float: -0.0 p_double: inf f_continent: EUROPE p_continent: AFRICA p_child { f_double: -inf } } }
    f_double: -0.0 p_double: nan"""
OWN = [(rpc, LOWEST) for rpc in NO_RESOURCES] + [
    (
        "RepeatDataPathTrailingResource",
        f'info {{ f_string: "first/a b%" f_child {{ f_string: "second/{trail}" f_bool: true }} f_int32: 3 }}',
    )
    for trail in ("greetings", "and/more/of/them", "\u00e9/100%25/x")
]
