-- A snapshot tells of what workflows found, too, what came later; what is there already came before any snapshot.
alter table workflow_issue add column mark bigint not null default 0;
alter table workflow_issue alter column mark set default nextval('finding_id');
create index workflow_issue__mark on workflow_issue (deployment_id, mark);

-- Decisions about what workflows found belong to batches, by which they are undone.
alter table workflow_issue_activity add column batch_id bigint,
  add foreign key (deployment_id, batch_id) references finding_batch (deployment_id, id) on delete set null (batch_id);
create index workflow_issue_activity__batch_id on workflow_issue_activity (deployment_id, batch_id);

-- How far the rounds of a batch are with what workflows found; null where that is not meant.
alter table finding_bulk add column last_workflow_id bigint;
