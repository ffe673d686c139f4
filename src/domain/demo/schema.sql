-- A deployment with generated content that shows the product: its generation parameters and loading progress.
create table demo (
  deployment_id bigint not null references deployment on delete cascade,
  size text not null,
  seed text not null,
  as_of timestamptz(3) not null,
  state text not null default 'loading' check (state in ('loading', 'ready', 'failed')),
  steps_done integer not null default 0,
  steps_total integer not null default 0,
  created_at timestamptz(3) not null default now(),
  primary key (deployment_id)
);
alter table demo enable row level security;
alter table demo force row level security;
create policy tenant on demo to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy auth on demo to parapet_auth using (true) with check (true);
grant select, update (state, steps_done, steps_total) on demo to parapet_app;
grant select, insert on demo to parapet_auth;

-- Only demos can be deleted.
create policy only_demos on deployment as restrictive for delete to parapet_app
  using (exists (select from demo where demo.deployment_id = deployment.id));
grant delete on deployment to parapet_app;

-- The accounts of a demo are deleted with it. They have no password, so nobody can sign in to them.
alter table account add column demo_deployment_id bigint references deployment on delete cascade;
create index account__demo_deployment_id on account (demo_deployment_id);
