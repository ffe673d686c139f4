-- What somebody is done with looking at. A finding that becomes relevant again later is to be looked at again.
create table inbox_done (
  deployment_id bigint not null,
  reader text not null,
  finding_id bigint not null,
  at timestamptz(3) not null,
  primary key (deployment_id, reader, finding_id),
  foreign key (deployment_id, finding_id) references finding (deployment_id, id) on delete cascade
);
create index inbox_done__finding_id on inbox_done (deployment_id, finding_id);
alter table inbox_done enable row level security;
alter table inbox_done force row level security;
create policy tenant on inbox_done to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on inbox_done to parapet_app;
