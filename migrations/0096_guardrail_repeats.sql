-- What came up on pull requests again, so that a report can say of how many findings it is.
create index guardrail_episode__again on guardrail_episode (deployment_id, started_at)
  where is_eligible and number > 1;
-- What a withdrawn scan began was never there.
grant delete on guardrail_episode to parapet_app;
