-- The Slack app of a deployment, which its administrators create from our manifest.
create table slack_app (
  deployment_id bigint primary key references deployment on delete cascade,
  client_id text not null,
  sealed_client_secret text not null,
  updated_at timestamptz(3) not null default now()
);
alter table slack_app enable row level security;
alter table slack_app force row level security;
create policy tenant on slack_app to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on slack_app to parapet_app;

-- That the app is installed in a workspace, with the token of its bot.
create table slack_installation (
  deployment_id bigint primary key references slack_app on delete cascade,
  app_id text not null,
  team_id text not null,
  team_name text not null,
  enterprise_id text not null,
  enterprise_name text not null,
  url text not null,
  scopes text[] not null,
  sealed_token text not null,
  is_auth_revoked boolean not null default false,
  installed_by text not null,
  installed_at timestamptz(3) not null
);
alter table slack_installation enable row level security;
alter table slack_installation force row level security;
create policy tenant on slack_installation to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on slack_installation to parapet_app;

-- States of installations that were used: each is accepted once. They expire after minutes.
create table slack_used_state (
  deployment_id bigint not null references deployment on delete cascade,
  nonce text not null,
  expires_at timestamptz(3) not null,
  primary key (deployment_id, nonce)
);
alter table slack_used_state enable row level security;
alter table slack_used_state force row level security;
create policy tenant on slack_used_state to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, delete on slack_used_state to parapet_app;

-- A channel that automations can send to. It stays when Slack does not know the channel any more.
create table slack_channel (
  deployment_id bigint not null references slack_installation on delete cascade,
  destination_id bigint not null,
  channel_id text not null,
  channel_name text not null,
  primary key (deployment_id, destination_id),
  unique (deployment_id, channel_id),
  foreign key (deployment_id, destination_id) references destination (deployment_id, id) on delete cascade
);
alter table slack_channel enable row level security;
alter table slack_channel force row level security;
create policy tenant on slack_channel to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on slack_channel to parapet_app;

-- A message that was sent, so that it can be updated: one for each scan and channel. `delivery_id` is the delivery that
-- sent it, `open_count` how many of its findings were open when it was last written.
create table slack_message (
  deployment_id bigint not null,
  delivery_id bigint not null,
  destination_id bigint not null,
  scan_id bigint,
  project_id bigint,
  timestamp_id text not null,
  findings bigint[] not null,
  open_count integer not null,
  sent_at timestamptz(3) not null,
  primary key (deployment_id, delivery_id),
  foreign key (deployment_id, destination_id) references slack_channel (deployment_id, destination_id) on delete cascade
);
create unique index slack_message__scan_id on slack_message (deployment_id, destination_id, scan_id);
create index slack_message__project_id on slack_message (deployment_id, project_id, sent_at) where open_count > 0;
create index slack_message__sent_at on slack_message (sent_at);
alter table slack_message enable row level security;
alter table slack_message force row level security;
create policy tenant on slack_message to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy background on slack_message to parapet_background using (true) with check (false);
grant select, insert, update on slack_message to parapet_app;
grant select (sent_at), delete on slack_message to parapet_background;
