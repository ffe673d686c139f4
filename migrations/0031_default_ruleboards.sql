-- Deployments from before the ruleboards get their default boards. Whoever migrates owns the tables but may be bound
-- by their policies like everybody else, so these are set aside for the length of this transaction.
alter table deployment no force row level security;
alter table ruleboard no force row level security;
insert into ruleboard (deployment_id, product, name, name_key, slug, is_default)
select deployment.id, board.product, board.name, lower(board.name), board.slug, true
from deployment, (values
  ('sast', 'Global Policy', 'global-policy'),
  ('secrets', 'Global Secrets Policy', 'global-policy-secrets')) as board (product, name, slug)
order by deployment.id, board.product
on conflict do nothing;
alter table deployment force row level security;
alter table ruleboard force row level security;
