-- Tasks of the onboarding checklist that were marked manually. The owner is empty for the deployment, else `account:`
-- or `token:` with the id.
create table checklist_mark (
  deployment_id bigint not null references deployment on delete cascade,
  owner text not null,
  task text not null,
  marked_at timestamptz(3) not null default now(),
  primary key (deployment_id, owner, task)
);
alter table checklist_mark enable row level security;
alter table checklist_mark force row level security;
create policy tenant on checklist_mark to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, delete on checklist_mark to parapet_app;
