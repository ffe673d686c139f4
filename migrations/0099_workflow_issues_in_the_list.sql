-- The one list of findings sorts by severity and then by age.
create index workflow_issue__severity_created_at on workflow_issue (deployment_id, severity, created_at, id);
