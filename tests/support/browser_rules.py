"""What a browser makes of a preflight's answer: the CORS-preflight fetch of the WHATWG Fetch standard, without a browser."""

SAFE_METHODS = {"GET", "HEAD", "POST"}


def words(answer, name):
    """The members of a list-valued field of the answer, lines of the same name together."""
    value = ",".join(value for each, value in answer.fields if each == name)
    return [word.strip() for word in value.split(",") if word.strip()]


def cors_check(answer, origin, credentials=False):
    """Whether a page of that origin may read the answer (Fetch section 4.10)."""
    allowed = [value for name, value in answer.fields if name == "access-control-allow-origin"]
    if allowed == ["*"]:
        return not credentials
    if allowed != [origin]:
        return False
    return not credentials or answer.headers.get("access-control-allow-credentials") == "true"


def preflight_refusal(answer, origin, method, headers=(), credentials=False):
    """Why a browser would not send the request after this preflight; None when it would (Fetch section 4.8)."""
    if not cors_check(answer, origin, credentials):
        return "origin"
    if not 200 <= answer.status <= 299:
        return "status"
    methods = words(answer, "access-control-allow-methods")
    if method not in methods and method not in SAFE_METHODS and ("*" not in methods or credentials):
        return "method"
    allowed = {name.lower() for name in words(answer, "access-control-allow-headers")}
    for name in (name.lower() for name in headers):
        if name not in allowed and ("*" not in allowed or credentials or name == "authorization"):
            return f"header {name}"
    return None
