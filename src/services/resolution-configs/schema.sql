-- How the dependencies of a part of a project are resolved, where no lock file tells.
create table sca_resolution_config (
  deployment_id bigint not null,
  project_id bigint not null,
  subproject text collate "C" not null,
  config jsonb not null,
  primary key (deployment_id, project_id, subproject),
  foreign key (deployment_id, project_id) references project on delete cascade
);
alter table sca_resolution_config enable row level security;
alter table sca_resolution_config force row level security;
create policy tenant on sca_resolution_config to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, delete on sca_resolution_config to parapet_app;
