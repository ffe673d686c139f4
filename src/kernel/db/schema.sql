-- The roles of the program. None owns a table, and none bypasses row-level security.
do $$
declare
  role_name text;
begin
  foreach role_name in array array['parapet_app', 'parapet_auth', 'parapet_background'] loop
    -- Another database may have created them: then a user who cannot create roles needs only to be a member.
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin noinherit', role_name);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    begin
      execute format('grant %I to current_user', role_name);
    exception when insufficient_privilege then null;
    end;
    execute format('grant usage on schema public to %I', role_name);
  end loop;
  -- Imports stage their rows in a temporary table.
  execute format('grant temporary on database %I to parapet_app', current_database());
end $$;

-- The deployment of this transaction. Unset is null, and null matches no row: it fails closed.
create function current_deployment() returns bigint
  language sql stable parallel safe
  return nullif(current_setting('parapet.deployment', true), '')::bigint;

-- Properties of this installation, such as whether the set-up is done.
create table server_setting (
  key text primary key,
  value text not null,
  changed_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on server_setting to parapet_auth, parapet_background;

-- Encrypted replies to requests with an Idempotency-Key; deployment 0 is the server itself.
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

-- Running servers: rate limits are divided by their number.
create table node (
  id text primary key,
  started_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now()
);
grant select, insert, update, delete on node to parapet_background;
