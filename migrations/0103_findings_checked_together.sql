-- What is done for each finding that comes in is done for all of a statement together: its project is looked for once,
-- and its kinds and moments are counted in one walk.
create function require_projects() returns trigger language plpgsql as $$
declare
  wanted integer;
  kept integer;
begin
  select count(*) into wanted from (select distinct deployment_id, project_id from made) as named;
  perform from project
  where (deployment_id, id) in (select deployment_id, project_id from made) for key share;
  get diagnostics kept = row_count;
  if kept < wanted then
    raise foreign_key_violation using message = 'A finding names a project that is not there.';
  end if;
  return null;
end $$;
create trigger require_projects after insert on finding referencing new table as made
  for each statement execute function require_projects();

create function forget_projects() returns trigger language plpgsql as $$
begin
  delete from finding using gone
  where finding.deployment_id = gone.deployment_id and finding.project_id = gone.id;
  return null;
end $$;
create trigger forget_projects after delete on project referencing old table as gone
  for each statement execute function forget_projects();
alter table finding drop constraint finding_deployment_id_project_id_fkey;

create or replace function tally_findings() returns trigger language plpgsql set enable_sort = off as $$
begin
  -- With a deployment all of its numbers go.
  if tg_op = 'DELETE' and not exists (
    select from deployment where id = (select deployment_id from changed limit 1))
  then
    delete from finding_tally where deployment_id in (select deployment_id from changed);
    delete from finding_hour where deployment_id in (select deployment_id from changed);
    return null;
  end if;
  with alike as materialized (
    select deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence, package, advisory,
      secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping,
      product = 'sca' and coalesce(detail->>'isMalicious' = 'true', false) as is_malicious,
      least(reopened_count, 1) as reopened_count, first_seen_at, fixed_at, triaged_at, sum(weight) as weight
    from (select *, case tg_op when 'INSERT' then 1 else -1 end as weight from changed) as changed
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23 having sum(weight) <> 0
  ),
  tallied as (
    insert into finding_tally (deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence,
      package, advisory, secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping, is_malicious,
      reopened_count, count)
    select deployment_id, project_id, product, tool, rule, category, cwes, severity, confidence, package, advisory,
      secret_type, status, triage_state, triage_reason, is_muted, is_held, is_flapping, is_malicious, reopened_count,
      sum(weight)
    from alike
    group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20 having sum(weight) <> 0
  )
  insert into finding_hour (deployment_id, project_id, hour, is_end, product, status, severity, count)
  select deployment_id, project_id, date_trunc('hour', moment.at, 'UTC'), moment.is_end, product, status, severity,
    sum(weight)
  from alike cross join lateral (
    values (first_seen_at, false),
      (case status when 'open' then null when 'fixed' then fixed_at else coalesce(triaged_at, first_seen_at) end, true)
  ) as moment (at, is_end)
  where moment.at is not null group by 1, 2, 3, 4, 5, 6, 7 having sum(weight) <> 0;
  if tg_op = 'INSERT' then
    insert into finding_text (deployment_id, project_id, rule, title, message, digest)
    select said.*, md5(concat_ws(E'\x01', rule, title, message))::uuid
    from (select distinct deployment_id, project_id, rule, title, message from changed) as said
    on conflict do nothing;
    insert into finding_path (deployment_id, project_id, path, digest)
    select place.*, md5(path)::uuid from (select distinct deployment_id, project_id, path from changed) as place
    on conflict do nothing;
  end if;
  return null;
end $$;
