create policy keeper on scan to parapet_keeper using (true) with check (true);
grant select (status, started_at), update (status) on scan to parapet_keeper;
