"""Writes a message as the HTTP request that a google.api.http rule makes of it, as the REST clients generated for such
services do: the variables into the path, the body's field into the body, every other field that is set into the query.

It reads messages by protobuf's own JSON code and knows nothing of the proxy.
"""

import dataclasses
import json
import re
import urllib.parse

from google.protobuf import json_format

VARIABLE = re.compile(r"{([^=}]+)(?:=([^}]*))?}")


@dataclasses.dataclass(frozen=True)
class Rule:
    method: str
    template: str
    body: str = ""


@dataclasses.dataclass(frozen=True)
class Style:
    """How a client writes what may be written in two ways."""

    proto_names: bool = False  # `f_int32`, not `fInt32`
    enum_numbers: bool = False
    bare_int64: bool = False  # 64-bit integers in a body are numbers, not strings
    plus_spaces: bool = False  # a space in a query is `+`, as HTML forms write it

    def as_json(self, message):
        """The value that stands for the message in JSON; members that are not set are left out."""
        return json_format.MessageToDict(
            message, preserving_proto_field_name=self.proto_names, use_integers_for_enums=self.enum_numbers
        )


@dataclasses.dataclass(frozen=True)
class Request:
    rule: Rule
    target: str
    body: bytes | None


class DoesNotFit(Exception):
    """No rule's template takes the message's values."""


def write_request(message, rules, style=Style()):
    """The message by the first of the rules that it fits."""
    for rule in rules:
        try:
            path, bound = _fill(rule.template, message)
        except DoesNotFit:
            continue
        rest = type(message)()
        rest.CopyFrom(message)
        for field_path in bound:
            _clear(rest, field_path.split("."))
        body = _take_body(rest, rule, style)
        query = _write_query(_leaves(style.as_json(rest)), style)
        return Request(rule, path + (f"?{query}" if query else ""), body)
    raise DoesNotFit(f"{message} fits none of {rules}")


def _write_query(pairs, style):
    quote = urllib.parse.quote_plus if style.plus_spaces else urllib.parse.quote
    return "&".join(f"{quote(key, safe='.')}={quote(value, safe='')}" for key, value in pairs)


def _value_text(value):
    """What stands for a scalar's JSON value in a path or a query."""
    return value if isinstance(value, str) else json.dumps(value)


def _fill(template, message):
    """The path, and the field paths that are in it."""
    bound = []

    def value(match):
        field_path, pattern = match[1], match[2] or "*"
        bound.append(field_path)
        text = _text_at(message, field_path.split("."))
        wanted = re.escape(pattern).replace(r"\*\*", ".+").replace(r"\*", "[^/]+" if match[2] else ".+")
        if not re.fullmatch(wanted, text, re.DOTALL):
            raise DoesNotFit
        return urllib.parse.quote(text, safe="/" if match[2] else "")

    return VARIABLE.sub(value, template), bound


def _text_at(message, names):
    for name in names[:-1]:
        message = getattr(message, name)
    field = message.DESCRIPTOR.fields_by_name[names[-1]]
    value = getattr(message, field.name)
    if field.enum_type:
        return field.enum_type.values_by_number[value].name
    return _value_text(value)


def _clear(message, names):
    for name in names[:-1]:
        if not message.HasField(name):
            return
        message = getattr(message, name)
    message.ClearField(names[-1])


def _take_body(rest, rule, style):
    """The body; what is in it is taken out of `rest`."""
    if not rule.body:
        return None
    part = rest if rule.body == "*" else getattr(rest, rule.body)
    value = style.as_json(part)
    body = json.dumps(_bare(part.DESCRIPTOR, value) if style.bare_int64 else value, ensure_ascii=False).encode()
    rest.Clear() if rule.body == "*" else rest.ClearField(rule.body)
    return body


def _bare(descriptor, value):
    """The JSON object with numbers where a 64-bit integer is a string."""
    fields = {name: field for field in descriptor.fields for name in (field.name, field.json_name)}

    def member(field, value):
        if isinstance(value, dict):
            return _bare(field.message_type, value)
        return int(value) if field.cpp_type in (field.CPPTYPE_INT64, field.CPPTYPE_UINT64) else value

    return {name: member(fields[name], inner) for name, inner in value.items()}


def _leaves(value, prefix=""):
    """Pairs of dotted name and text, in the order of the object; an array is its key again and again."""
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _leaves(inner, f"{prefix}{name}.")
        else:
            for element in inner if isinstance(inner, list) else [inner]:
                yield prefix + name, _value_text(element)
