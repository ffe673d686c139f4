-- The roles under which the program works. None owns a table, none bypasses row-level security.
do $$
declare
  wanted text;
begin
  foreach wanted in array array['parapet_app', 'parapet_auth', 'parapet_background'] loop
    begin
      execute format('create role %I nologin noinherit', wanted);
    exception when duplicate_object or unique_violation then null;
    end;
    execute format('grant %I to current_user', wanted);
    execute format('grant usage on schema public to %I', wanted);
  end loop;
  -- Rows of an import are staged in a table that ends with its transaction.
  execute format('grant temporary on database %I to parapet_app', current_database());
end $$;

-- The deployment this transaction works for. Unset is null, and null matches no row: it fails closed.
create function current_deployment() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('parapet.deployment', true), '')::bigint;

-- Facts about this installation, such as whether the set-up is done.
create table server_setting (
  key text primary key,
  value text not null,
  changed_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on server_setting to parapet_auth, parapet_background;

-- Replies to requests that carried an Idempotency-Key, sealed; deployment 0 stands for the server itself.
create table idempotency (
  deployment_id bigint not null,
  scope text not null,
  key text not null,
  digest text not null,
  reply text not null,
  created_at timestamptz(3) not null default now(),
  primary key (deployment_id, scope, key)
);
create index idempotency__created_at on idempotency (created_at);
alter table idempotency enable row level security;
alter table idempotency force row level security;
create policy tenant on idempotency to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy server on idempotency to parapet_auth using (true) with check (true);
create policy background on idempotency to parapet_background using (true) with check (true);
grant select, insert, update on idempotency to parapet_app, parapet_auth;
grant select, delete on idempotency to parapet_background;

-- Servers that are up: rate limits are divided by their number.
create table node (
  id text primary key,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on node to parapet_background;
