-- Of a first import's time in the database, a fifth went into asking for each fingerprint and detection whether the
-- finding that the same transaction had just written is there.
alter table fingerprint drop constraint fingerprint_deployment_id_finding_id_fkey;
drop index fingerprint__finding_id;
alter table detection drop constraint detection_deployment_id_finding_id_fkey;

create function forget_findings() returns trigger language plpgsql as $$
begin
  delete from detection using gone
  where detection.deployment_id = gone.deployment_id and detection.finding_id = gone.id;
  delete from fingerprint using gone
  where fingerprint.deployment_id = gone.deployment_id and fingerprint.project_id = gone.project_id
    and fingerprint.finding_id = gone.id;
  return null;
end $$;
create trigger forget_findings after delete on finding referencing old table as gone
  for each statement execute function forget_findings();
