-- Paths that scans of a product ignore in all projects of a deployment, as lines of a .semgrepignore file.
create table ignore_list (
  deployment_id bigint not null references deployment on delete cascade,
  product text not null,
  patterns text[] not null,
  updated_at timestamptz(3) not null default now(),
  primary key (deployment_id, product)
);
alter table ignore_list enable row level security;
alter table ignore_list force row level security;
create policy tenant on ignore_list to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on ignore_list to parapet_app;
