"""What a description cannot express about valid requests, for `npm run check:schemathesis`."""

import schemathesis

# Refusals of the form of a request. All others depend on what the server has, such as an id that is not known.
REFUSALS_OF_FORM = {"VALIDATION_FAILED", "INVALID_JSON", "INVALID_PATH", "MALFORMED_REQUEST", "INVALID_CURSOR"}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Ids that are in the path and in the body must agree, and a cursor is one of an earlier reply."""
    if isinstance(case.body, dict):
        for name, value in (case.path_parameters or {}).items():
            if name in case.body:
                case.body[name] = value
        forget_cursor(case.body)
    forget_cursor(case.query or {})


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
    if response.status_code != 400 or problem.get("code") in REFUSALS_OF_FORM:
        raise AssertionError(f"A valid request was refused: {problem.get('detail', response.status_code)}")
