-- A notification rule, the older form of an automation: its automation has one action. Secrets of the config are kept by
-- its destination, never here.
create table notification_rule (
  deployment_id bigint not null,
  automation_id bigint not null,
  channel text not null,
  config jsonb not null,
  policy_slugs text[] not null,
  uses_network_broker boolean not null default false,
  sends_scan_events boolean not null default true,
  primary key (deployment_id, automation_id),
  foreign key (deployment_id, automation_id) references automation (deployment_id, id) on delete cascade
);
alter table notification_rule enable row level security;
alter table notification_rule force row level security;
create policy tenant on notification_rule to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on notification_rule to parapet_app;
