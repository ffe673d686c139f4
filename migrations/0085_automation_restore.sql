-- What is deleted can be restored for a time, and is forgotten then.
alter table automation add column deleted_at timestamptz(3);
create index automation__deleted_at on automation (deleted_at) where deleted_at is not null;
create policy keeper on automation to parapet_keeper using (deleted_at is not null) with check (false);
grant select (deleted_at), delete on automation to parapet_keeper;
