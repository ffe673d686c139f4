-- The product configuration of a deployment. Only changes are stored; the defaults are in the program.
create table product_config (
  deployment_id bigint not null references deployment on delete cascade,
  settings jsonb not null default '{}',
  version bigint not null default 0,
  updated_at timestamptz(3) not null default now(),
  primary key (deployment_id)
);
alter table product_config enable row level security;
alter table product_config force row level security;
create policy tenant on product_config to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update on product_config to parapet_app;
