"""What a description cannot express about valid requests, for `npm run check:schemathesis`."""

from unicodedata import category
from urllib.parse import unquote

import schemathesis

# Refusals of the form of a request. All others depend on what the server has, such as an id that is not known.
REFUSALS_OF_FORM = {"VALIDATION_FAILED", "INVALID_JSON", "INVALID_PATH", "MALFORMED_REQUEST", "INVALID_CURSOR"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Ids that are in the path and in the body must agree, and a cursor is one of an earlier reply."""
    if isinstance(case.body, dict):
        case.body = printable(case.body)
        for name, value in (case.path_parameters or {}).items():
            if name in case.body:
                case.body[name] = unquote(value) if isinstance(value, str) else value
        forget_cursor(case.body)
        agree(case.body)
    forget_cursor(case.query or {})


def agree(body):
    """A decision has a state or a note and is about some findings; a reason belongs to ignored ones."""
    params = body.get("params")
    if isinstance(params, dict):
        if params.get("triageState") != "FINDING_TRIAGE_STATE_IGNORED":
            params.pop("triageReason", None)
        params.setdefault("note", "Looked at.")
        chosen = body.get("filter") or {}
        if isinstance(chosen, dict):
            body["filter"] = {**chosen, "filePaths": ["src/none.py"]}
    if "new_note" in body or "new_triage_state" in body:
        if body.get("new_triage_state") != "ignored":
            body.pop("new_triage_reason", None)
        body.pop("issue_ids", None)
        body["repos"] = ["none"]


def printable(value):
    """Texts without control characters, which no member takes; a name of them alone would be empty."""
    if isinstance(value, str):
        return "".join(one for one in value if category(one) != "Cc").strip() or ("x" if value else "")
    if isinstance(value, list):
        return [printable(entry) for entry in value]
    if isinstance(value, dict):
        return {printable(name): printable(entry) for name, entry in value.items()}
    return value


def forget_cursor(members):
    cursor = members.get("cursor")
    if isinstance(cursor, str) and not cursor.lstrip("-").isdigit():
        members["cursor"] = ""


@schemathesis.check
def valid_request_accepted(ctx, response, case):
    """A request that the description allows is not refused for its form."""
    mode = case.meta.generation.mode if case.meta else None
    if mode is None or mode.value != "positive" or response.status_code not in (400, 413, 415, 431):
        return
    try:
        problem = response.json()
    except ValueError:
        problem = {}
    # Operations with x-strict refuse members that they do not know, which the description marks in its own way.
    errors = problem.get("errors") or []
    if errors and all(error.get("code") == "UNKNOWN_MEMBER" for error in errors):
        return
    if response.status_code != 400 or problem.get("code") in REFUSALS_OF_FORM:
        raise AssertionError(f"A valid request was refused: {problem.get('detail', response.status_code)}")
