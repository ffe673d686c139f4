import { createHmac, type KeyObject } from 'node:crypto';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

/** An entry of the audit trail: who did what to which object, with which result. */
export interface AuditEntry {
  caller: Caller;
  requestId: string;
  address: string;
  operation: string;
  object: string;
  result: string;
  before?: unknown;
  after?: unknown;
}

/** Values are stored as keyed hashes, so that the trail proves a change without containing the values. */
const digestOf = (key: KeyObject, value: unknown) =>
  value === undefined ? null : createHmac('sha256', key).update(JSON.stringify(value)).digest('base64url');

/** Writes the record in the transaction of its effect; a job adds it to the chain within seconds. */
export async function writeAuditRecord(tx: Tx, key: KeyObject, entry: AuditEntry): Promise<void> {
  const { caller, requestId, address, operation, object, result } = entry;
  // The id is drawn first, because roles that may not read the trail cannot use `returning`.
  await tx.run`
    with entry as (
      select ${caller.deployment || '0'}::bigint as deployment_id, nextval('audit_record_id_seq') as id
    ), written as (
      insert into audit_record (deployment_id, id, request_id, actor_kind, actor, credential, address, operation,
                                object, result, before_digest, after_digest)
      select deployment_id, id, ${requestId}, ${caller.kind}, ${caller.userId}, ${caller.credential}, ${address},
             ${operation}, ${object}, ${result}, ${digestOf(key, entry.before)}, ${digestOf(key, entry.after)}
      from entry
    )
    insert into audit_unsealed (deployment_id, record_id) select deployment_id, id from entry`;
}

/** The number of records since a moment: it differs after every change that a caller made. */
export const auditRecordCount = (deployment: string, since: Date): Sql => sql`
  (select count(*) from audit_record where deployment_id = ${deployment} and at >= ${since})`;
