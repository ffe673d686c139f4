import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { type AuditRow, list } from './store.ts';

/** Splits `kind/id`; an object without a kind is all id. */
function objectOf(object: string): { kind: string; id: string } {
  const [kind = '', ...rest] = object.split('/');
  return rest.length === 0 || /^\d*$/.test(kind) ? { kind: '', id: object } : { kind, id: rest.join('/') };
}

const recordOf = (row: AuditRow) => ({
  id: row.id as Id<'AuditRecord'>,
  at: new Date(row.at),
  actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
  operation: row.operation,
  outcome: row.result,
  object: objectOf(row.object),
  before: row.before_digest,
  after: row.after_digest,
  requestId: row.request_id,
  address: row.address,
  sequence: row.position,
  hash: row.hash,
});

/** AuditService: the audit trail and its verification. */
export const audit = group('AuditService', contract, {
  listAuditRecords: async ({ path, query, page, tx }) => {
    const { limit: _, cursor: __, ...filter } = query;
    const rows = await list(tx, path.deploymentId, { filter, window: page.window });
    const { items, cursor } = page.close(rows, ({ at, id }) => [at, id]);
    return { records: items.map(recordOf), cursor };
  },

  verifyAuditTrail: async ({ path, services, now }) => {
    const { ok, records, problems } = await services.chainVerifier.verify(path.deploymentId);
    const [first] = problems;
    return {
      verified: ok,
      records,
      checkedAt: now,
      ...(first && { firstBroken: first.where, problem: first.kind }),
    };
  },
});
