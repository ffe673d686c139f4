-- What an overview adds up of each finding, in the order in which they were first seen.
create index finding__first_seen_at on finding (deployment_id, first_seen_at, id)
  include (project_id, product, status, severity, rule, fixed_at, triaged_at);
