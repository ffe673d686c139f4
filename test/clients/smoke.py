"""Calls a running server twenty times through the client that OpenAPI Generator made, and prints how many calls it made."""

import os
import sys

import parapet_client as parapet

EMAIL = os.environ["EMAIL"]
PASSWORD = os.environ["PASSWORD"]
with open(os.environ["REPORT"], "rb") as file:
    REPORT = file.read()

client = parapet.ApiClient(parapet.Configuration(host=os.environ["BASE"]))
calls = 0


def call(operation, *args, **options):
    global calls
    calls += 1
    return operation(*args, **options)


def refused(status, operation, *args):
    """The body of the error that this call is answered with."""
    try:
        call(operation, *args)
    except parapet.ApiException as error:
        assert error.status == status, error
        return parapet.Problem.from_json(error.body)
    raise AssertionError(f"The call is not refused with {status}.")


misc = parapet.MiscServiceApi(client)
sessions = parapet.SessionsServiceApi(client)
users = parapet.UsersServiceApi(client)
deployments = parapet.V1DeploymentsServiceApi(client)
teams = parapet.TeamsServiceApi(client)
tokens = parapet.TokenServiceApi(client)
imports = parapet.ImportsServiceApi(client)
projects = parapet.ProjectsServiceApi(client)
issues = parapet.IssuesServiceApi(client)
findings = parapet.FindingsServiceApi(client)
ruleboards = parapet.RuleboardServiceApi(client)
audit = parapet.AuditServiceApi(client)

call(misc.get_ping)
assert refused(401, users.get_user).code == "NO_CREDENTIALS"
session = call(sessions.create_session, {"email": EMAIL, "password": PASSWORD})
client.configuration.access_token = session.access_token
assert call(users.get_user).user.email == EMAIL
deployment = call(deployments.list_deployments).deployments[0].slug

team = call(teams.create_deployment_team, deployment, {"team": {"name": f"Payments {os.getpid()}"}}).team
assert team.id in [one.id for one in call(teams.list_deployment_teams, deployment, {"limit": "1000"}).teams]
renamed = {"team": {"name": f"Payments and billing {os.getpid()}"}}
assert call(teams.update_deployment_team, deployment, team.id, renamed).team.name == renamed["team"]["name"]
assert call(teams.get_deployment_team, deployment, team.id).team.name == renamed["team"]["name"]
assert call(teams.list_team_users, deployment, team.id, limit=10).users == []
call(teams.delete_deployment_team, deployment, team.id)
assert refused(404, teams.get_deployment_team, deployment, team.id).code == "NOT_FOUND"

wanted = {"name": f"smoke {os.getpid()}", "role": "TOKEN_ROLE_WEBAPI", "webApi": True}
created = call(tokens.create_token, deployment, wanted)
assert created.token.id in [one.id for one in call(tokens.list_tokens, deployment).tokens]
client.configuration.access_token = created.secret

project = f"acme/python-{os.getpid()}"
imported = call(imports.import_report, deployment, project, REPORT, _content_type="application/octet-stream")
assert imported.opened == 1
assert project in [one.name for one in call(projects.list_projects, deployment, {}).projects]
listed = call(issues.list_issues, deployment, {"issueType": "ISSUE_TYPE_SAST"}).issues[0].issue
assert call(issues.get_issue, deployment, listed.id).id == listed.id
triage = {"filter": {"repositoryNames": [project]}, "params": {"triageState": "FINDING_TRIAGE_STATE_REVIEWING"}}
call(issues.bulk_update_issues, deployment, triage)
assert call(findings.list_findings, deployment).findings[0].actual_instance.rule_name == "no-eval"
call(ruleboards.list_ruleboards, deployment)
call(audit.list_audit_records, deployment, limit=5)

print(f"{calls} calls through the Python client")
sys.exit(0 if calls >= 20 else 1)
