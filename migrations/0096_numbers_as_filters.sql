-- What came up on pull requests again, so that a report can say of how many findings it is.
create index guardrail_episode__again on guardrail_episode (deployment_id, started_at)
  where is_eligible and number > 1;
-- What a withdrawn scan began was never there.
grant delete on guardrail_episode to parapet_app;
-- What was fixed in a period, which is a small part of what was ever fixed.
create index finding__fixed_at on finding (deployment_id, fixed_at) include (project_id, product, status, severity)
  where fixed_at is not null;
