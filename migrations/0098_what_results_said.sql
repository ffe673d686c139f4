-- What results of the last scan said, by their bytes: those that come again unchanged are not read again.
alter table analysis add column memory bytea;
alter table analysis alter column memory set storage external;
