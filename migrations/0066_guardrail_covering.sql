-- Reports of the past read many episodes: all that they need of one is in the index, or carried along. Whoever migrates
-- may be bound by the policies of the tables, so these are set aside for the length of this transaction.
drop index guardrail_episode__started_at;
create index guardrail_episode__started_at on guardrail_episode (deployment_id, started_at)
  include (id, project_id, shown_at, decided_at, decided_state, decided_until, ended_at, end_class) where is_eligible;

alter table guardrail_carry
  add column project_id bigint,
  add column started_at timestamptz(3),
  add column shown_at timestamptz(3),
  add column decided_at timestamptz(3),
  add column decided_state text,
  add column decided_until timestamptz(3),
  add column end_class text;
alter table guardrail_carry no force row level security;
alter table guardrail_episode no force row level security;
update guardrail_carry as carry
  set project_id = episode.project_id, started_at = episode.started_at, shown_at = episode.shown_at,
    decided_at = episode.decided_at, decided_state = episode.decided_state, decided_until = episode.decided_until,
    end_class = episode.end_class
  from guardrail_episode as episode
  where episode.deployment_id = carry.deployment_id and episode.id = carry.episode_id;
alter table guardrail_carry force row level security;
alter table guardrail_episode force row level security;
alter table guardrail_carry
  alter column project_id set not null,
  alter column started_at set not null,
  drop constraint guardrail_carry_pkey,
  add primary key (deployment_id, week, ended_at, episode_id)
    include (project_id, started_at, shown_at, decided_at, decided_state, decided_until, end_class);
