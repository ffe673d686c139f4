-- How far a batch of decisions is that a job carries out in rounds; the batch itself says who began it and when.
create table finding_bulk (
  deployment_id bigint not null,
  batch_id bigint not null,
  made_by text not null,
  state text not null default 'running',
  total integer not null,
  done integer not null default 0,
  skipped integer not null default 0,
  last_id bigint not null default 0,
  ended_at timestamptz(3),
  primary key (deployment_id, batch_id),
  foreign key (deployment_id, batch_id) references finding_batch (deployment_id, id) on delete cascade
);
alter table finding_bulk enable row level security;
alter table finding_bulk force row level security;
create policy tenant on finding_bulk to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update on finding_bulk to parapet_app;
