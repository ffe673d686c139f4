-- An approved login of a command line, which collects its token with the key. Only a hash of the key is stored.
create table cli_login (
  deployment_id bigint not null references deployment on delete cascade,
  hash text not null,
  account_id bigint not null references account on delete cascade,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  primary key (deployment_id, hash)
);
create index cli_login__hash on cli_login (hash);
create index cli_login__account_id on cli_login (account_id);
alter table cli_login enable row level security;
alter table cli_login force row level security;
create policy tenant on cli_login to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy auth on cli_login to parapet_auth using (true) with check (false);
grant select, insert, delete on cli_login to parapet_app;
grant select, delete on cli_login to parapet_auth;
