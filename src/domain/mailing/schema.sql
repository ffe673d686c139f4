-- What a member gets by mail, and when; a trigger adds a row for each member. `told` has, for each part of the digest,
-- up to which moment the member has been told. `next_at` is when the next digest is due; `has_now` marks members who
-- get some parts as soon as there is news.
create table mail_setting (
  deployment_id bigint not null,
  account_id bigint not null,
  time_zone text not null default 'UTC',
  hour smallint not null default 8,
  weekday smallint not null default 1,
  findings text not null default 'weekly',
  approvals text not null default 'daily',
  notices text not null default 'now',
  has_valid_secrets boolean not null default true,
  has_incidents boolean not null default true,
  has_automations boolean not null default true,
  told jsonb not null default jsonb_build_object('findings', now(), 'approvals', now(), 'notices', now()),
  has_now boolean not null generated always as ('now' in (findings, approvals, notices)) stored,
  next_at timestamptz(3) default now(),
  version bigint not null default 1,
  primary key (deployment_id, account_id),
  foreign key (deployment_id, account_id) references membership (deployment_id, account_id) on delete cascade
);
create index mail_setting__next_at on mail_setting (next_at) where next_at is not null;
alter table mail_setting enable row level security;
alter table mail_setting force row level security;
create policy tenant on mail_setting to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy auth on mail_setting to parapet_auth using (true) with check (true);
create policy background on mail_setting to parapet_background using (true) with check (false);
grant select, insert, update on mail_setting to parapet_app;
grant select, insert, update on mail_setting to parapet_auth;
grant select (deployment_id, account_id, next_at, has_now) on mail_setting to parapet_background;

create function add_mail_setting() returns trigger language plpgsql as $$
begin
  insert into mail_setting (deployment_id, account_id) values (new.deployment_id, new.account_id);
  return null;
end $$;
create trigger add_mail_setting after insert on membership for each row execute function add_mail_setting();

-- Addresses that the mail server refused, since when and how often. Nothing is sent to one that is suspended.
create table mail_address (
  deployment_id bigint not null references deployment on delete cascade,
  address_key text not null,
  refusals integer not null default 0,
  first_refused_at timestamptz(3),
  suspended_at timestamptz(3),
  reason text not null default '',
  primary key (deployment_id, address_key)
);
alter table mail_address enable row level security;
alter table mail_address force row level security;
create policy tenant on mail_address to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
grant select, insert, update, delete on mail_address to parapet_app;
