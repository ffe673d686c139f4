-- Findings and their detections share one sequence of ids: the API accepts either.
create sequence finding_id;
grant usage on sequence finding_id to parapet_app;

-- One flaw of a project, however many refs, scans and scanners detect it; what people see and triage. Severity and
-- confidence are ranks, so that an index can sort by them. The status follows from scans and triage: `elsewhere` means
-- detected only on refs other than the project's primary one. The project has no foreign key, which would be checked
-- for each row: `check_finding_projects` checks a whole statement, and `delete_project_findings` deletes findings with
-- their project. Where `place_kind` is not `file`, the path is the address of an endpoint or the name of a resource.
create table finding (
  deployment_id bigint not null,
  id bigint not null default nextval('finding_id'),
  project_id bigint not null,
  product text not null,
  tool text not null,
  rule text collate "C" not null,
  title text not null,
  message text not null,
  severity smallint not null,
  confidence smallint not null,
  category text not null,
  cwes text[] not null,
  owasps text[] not null,
  path text collate "C" not null,
  place_kind text not null default 'file',
  line integer not null,
  start_column integer not null,
  end_line integer not null,
  end_column integer not null,
  code text,
  scope text,
  context text,
  context_digest uuid,
  syntactic_id text,
  match_based_id text,
  mode text not null default 'monitor',
  advisory text,
  package text,
  package_version text,
  ecosystem text,
  transitivity text,
  reachability text,
  secret_type text,
  validation text,
  detail jsonb not null default '{}',
  state text not null,
  removed_reason text,
  is_muted boolean not null default false,
  is_held boolean not null default false,
  is_flapping boolean not null default false,
  first_scan_id bigint not null,
  first_seen_at timestamptz(3) not null,
  relevant_since timestamptz(3) not null,
  fixed_at timestamptz(3),
  reopened_count integer not null default 0,
  triage_state text not null default 'untriaged',
  triage_reason text,
  triage_note text,
  triage_source text,
  triaged_at timestamptz(3),
  triaged_by text,
  triage_until timestamptz(3),
  assignee_id bigint,
  version bigint not null default 1,
  status text not null generated always as (
    case when state in ('fixed', 'removed', 'elsewhere') then state
         when triage_state = 'ignored' or is_muted then 'ignored'
         when triage_state in ('reviewing', 'fixing', 'provisionally_ignored') then triage_state
         else 'open' end) stored,
  primary key (deployment_id, id)
);
create index finding__product on finding (deployment_id, product, relevant_since, id);
create index finding__status on finding (deployment_id, product, status, relevant_since, id);
create index finding__severity on finding (deployment_id, product, status, severity, relevant_since, id);
create index finding__project_id on finding (deployment_id, project_id, relevant_since, id);
create index finding__rule on finding (deployment_id, rule, relevant_since, id);
-- Covers what the overview reads of each finding, ordered by when it was first seen.
create index finding__first_seen_at on finding (deployment_id, first_seen_at, id)
  include (project_id, product, status, severity, rule, fixed_at, triaged_at);
-- Findings fixed within a period, which are a small part of all that were ever fixed.
create index finding__fixed_at on finding (deployment_id, fixed_at) include (project_id, product, status, severity)
  where fixed_at is not null;
-- New findings of the last scans, and findings to delete when a scan is undone.
create index finding__first_scan_id on finding (deployment_id, first_scan_id);
create index finding__advisory on finding (deployment_id, advisory) where advisory is not null;
create index finding__decided_by_report on finding (deployment_id, project_id) where triage_source = 'sarif';
create index finding__package on finding (deployment_id, package) where package is not null;
create index finding__triaged_at on finding (deployment_id, triaged_at) where triaged_at is not null;
create index finding__triage_until on finding (triage_until) where triage_until is not null;
-- What is assigned to a person, in the order of the list. Few findings have an assignee.
create index finding__assignee_id on finding (deployment_id, assignee_id, relevant_since, id)
  where assignee_id is not null;
alter table finding enable row level security;
alter table finding force row level security;
create policy tenant on finding to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
create policy background on finding to parapet_background using (true) with check (false);
-- The first import of a deployment is a small part of the table, but needs statistics of its own.
alter table finding set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
grant select, insert, update, delete on finding to parapet_app;
grant select (deployment_id, triage_until) on finding to parapet_background;

-- The projects of inserted findings must exist, and must not be deleted before the findings are written.
create function check_finding_projects() returns trigger language plpgsql as $$
declare
  expected_count integer;
  existing_count integer;
begin
  select count(*) into expected_count from (select distinct deployment_id, project_id from inserted) as project_ids;
  perform from project
  where (deployment_id, id) in (select deployment_id, project_id from inserted) for key share;
  get diagnostics existing_count = row_count;
  if existing_count < expected_count then
    raise foreign_key_violation using message = 'A finding refers to a project that does not exist.';
  end if;
  return null;
end $$;
create trigger check_finding_projects after insert on finding referencing new table as inserted
  for each statement execute function check_finding_projects();

create function delete_project_findings() returns trigger language plpgsql as $$
begin
  delete from finding using deleted
  where finding.deployment_id = deleted.deployment_id and finding.project_id = deleted.id;
  return null;
end $$;
create trigger delete_project_findings after delete on project referencing old table as deleted
  for each statement execute function delete_project_findings();

-- Who leaves a deployment has no findings in it any more.
create function unassign_former_members() returns trigger language plpgsql as $$
begin
  update finding set assignee_id = null, version = finding.version + 1 from deleted
  where finding.deployment_id = deleted.deployment_id and finding.assignee_id = deleted.account_id;
  return null;
end $$;
create trigger unassign_former_members after delete on membership referencing old table as deleted
  for each statement execute function unassign_former_members();

-- Fingerprints by which the tracker recognizes a finding: a digest of product, tool, rule, kind and value. Equal code
-- can occur more than once, so several findings may share a fingerprint; for kinds that are unique in a project the
-- tracker assigns it to one finding only. The finding has no foreign key, which would be checked for each row:
-- `delete_finding_details` deletes fingerprints.
create table fingerprint (
  deployment_id bigint not null,
  project_id bigint not null,
  digest uuid not null,
  finding_id bigint not null,
  kind smallint not null,
  primary key (deployment_id, project_id, digest, finding_id)
);
alter table fingerprint enable row level security;
alter table fingerprint force row level security;
create policy tenant on fingerprint to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
alter table fingerprint set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
grant select, insert, delete on fingerprint to parapet_app;

-- The state of one finding on one ref as seen by one analysis. Neither the finding nor the analysis has a foreign key,
-- which would be checked for each row: an analysis is deleted only with its project, which deletes its findings, and
-- `delete_finding_details` deletes their detections.
create table detection (
  deployment_id bigint not null,
  id bigint not null default nextval('finding_id'),
  analysis_id bigint not null,
  finding_id bigint not null,
  state text not null,
  reason text,
  evidence text not null,
  is_muted boolean not null,
  is_held boolean not null default false,
  path text collate "C" not null,
  line integer not null,
  start_column integer not null,
  end_line integer not null,
  end_column integer not null,
  first_scan_id bigint not null,
  detected_at timestamptz(3) not null,
  changed_at timestamptz(3) not null,
  changed_scan_id bigint not null,
  content_digest uuid,
  primary key (deployment_id, analysis_id, finding_id),
  unique (deployment_id, id)
);
create index detection__finding_id on detection (deployment_id, finding_id);
create index detection__held on detection (deployment_id, analysis_id) where is_held;
alter table detection enable row level security;
alter table detection force row level security;
create policy tenant on detection to parapet_app
  using (deployment_id = (select current_deployment())) with check (deployment_id = (select current_deployment()));
alter table detection set (autovacuum_analyze_scale_factor = 0.01, autovacuum_analyze_threshold = 1000);
grant select, insert, update, delete on detection to parapet_app;

-- Deletes everything that belongs to deleted findings, once per statement.
create function delete_finding_details() returns trigger language plpgsql as $$
begin
  delete from detection using deleted
  where detection.deployment_id = deleted.deployment_id and detection.finding_id = deleted.id;
  delete from fingerprint using deleted
  where fingerprint.deployment_id = deleted.deployment_id and fingerprint.project_id = deleted.project_id
    and fingerprint.finding_id = deleted.id;
  delete from finding_text as text using (select distinct deployment_id, project_id from deleted) as affected
  where text.deployment_id = affected.deployment_id and text.project_id = affected.project_id and not exists (
    select from finding
    where finding.deployment_id = affected.deployment_id and finding.project_id = affected.project_id);
  delete from finding_path as path using (select distinct deployment_id, project_id from deleted) as affected
  where path.deployment_id = affected.deployment_id and path.project_id = affected.project_id and not exists (
    select from finding
    where finding.deployment_id = affected.deployment_id and finding.project_id = affected.project_id);
  return null;
end $$;
create trigger delete_finding_details after delete on finding referencing old table as deleted
  for each statement execute function delete_finding_details();
