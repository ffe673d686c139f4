-- A destination that gets HTTP requests. The secrets sign them; the previous one signs too until its time ends. Webhooks
-- of notification rules have `rule_id` and are shown only there.
create table notification_webhook (
  deployment_id bigint not null,
  destination_id bigint not null,
  url text not null,
  sealed_secret text,
  sealed_previous_secret text,
  previous_secret_until timestamptz(3),
  uses_network_broker boolean not null default false,
  sends_scan_events boolean not null default false,
  rule_id bigint,
  updated_at timestamptz(3) not null default now(),
  version bigint not null default 1,
  primary key (deployment_id, destination_id),
  foreign key (deployment_id, destination_id) references destination (deployment_id, id) on delete cascade
);
alter table notification_webhook enable row level security;
alter table notification_webhook force row level security;
create policy tenant on notification_webhook to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on notification_webhook to parapet_app;
