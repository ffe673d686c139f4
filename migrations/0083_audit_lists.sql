-- The trail is read newest first: as a whole, by who did it, and by what it was done to.
create index audit_record__at on audit_record (deployment_id, at, id);
create index audit_record__actor on audit_record (deployment_id, actor, at, id);
create index audit_record__object on audit_record (deployment_id, object collate "C", at, id);
