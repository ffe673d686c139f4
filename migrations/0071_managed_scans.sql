-- Which scans the server shall start by itself for a project.
alter table project
  add column has_managed_diff_scan boolean not null default false,
  add column has_managed_full_scan boolean not null default false,
  add column has_ai_full_scan boolean not null default false;

-- Scans are searched by the names of branches over all projects.
create index project_branch__ref on project_branch (deployment_id, ref);
