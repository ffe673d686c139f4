-- What a result said when its analysis last saw it, and under which rules: of results that say the same again nothing
-- else has to be looked at.
alter table detection add column said_digest uuid;
alter table analysis add column said text;
create index finding__decided_by_report on finding (deployment_id, project_id) where triage_source = 'sarif';
