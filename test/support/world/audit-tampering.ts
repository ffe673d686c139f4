import fc from 'fast-check';
import type pg from 'pg';
import { CHAIN_START, canonicalText, chainHash } from '#kernel/audit/chain.ts';
import { renderSql, sql } from '#kernel/db/query/sql.ts';

/** One way in which someone with write access to the database can change an audit trail. */
export interface Tampering {
  /** Statements for a superuser. */
  text: string;
  /** Whether all hashes are recomputed, as by someone who knows the chain but not the signing key. */
  isRechained: boolean;
}

const edits = [
  "at = at + interval '1 millisecond'",
  ...['request_id', 'actor_kind', 'actor', 'credential', 'address', 'operation', 'object', 'result'].map(
    (column) => `${column} = ${column} || 'x'`,
  ),
  'before_digest = null',
  "after_digest = coalesce(after_digest, '') || '~'",
  'object = left(operation, 1) || object, operation = substr(operation, 2)',
  'before_digest = after_digest, after_digest = before_digest',
];

const FORGED_ID = 1_000_000;

/** Every way of tampering with the chain of a deployment, whose last record has a checkpoint. */
export function tamperings(deployment: string, length: number): fc.Arbitrary<Tampering> {
  const place = fc.integer({ min: 1, max: length });
  const sealAt = (position: number) => `deployment_id = ${deployment} and position = ${position}`;
  const recordAt = (position: number) =>
    `deployment_id = ${deployment} and id = (select record_id from audit_seal where ${sealAt(position)})`;

  /** Moves the seals after a position, by way of negative positions to avoid collisions. */
  const shift = (position: number, by: number) => `
    update audit_seal set position = -position where deployment_id = ${deployment} and position > ${position};
    update audit_seal set position = -position + ${by} where deployment_id = ${deployment} and position < 0;`;

  const edit = fc.tuple(fc.constantFrom(...edits), place, fc.boolean()).map(([change, at, isRechained]) => ({
    text: `update audit_record set ${change} where ${recordAt(at)};`,
    isRechained,
  }));

  const removal = fc.tuple(place, fc.constantFrom('record', 'both', 'closed', 'rechained')).map(([at, style]) => {
    const record = `delete from audit_record where ${recordAt(at)};`;
    const both = `${record} delete from audit_seal where ${sealAt(at)};`;
    const closed = both + shift(at, -1);
    return { text: { record, both, closed, rechained: closed }[style], isRechained: style === 'rechained' };
  });

  const insertion = fc.tuple(place, fc.constantFrom('loose', 'appended', 'rechained')).map(([at, style]) => {
    const record = `
      insert into audit_record
      select deployment_id, ${FORGED_ID}, at, 'forged', actor_kind, actor, credential, address, operation, object,
             result
      from audit_record where ${recordAt(at)};`;
    const seal = (position: number) =>
      `insert into audit_seal values (${deployment}, ${position}, ${FORGED_ID}, sha256('made up'::bytea));`;
    const seals = { loose: '', appended: seal(length + 1), rechained: shift(at - 1, 1) + seal(at) }[style];
    return { text: record + seals, isRechained: style === 'rechained' };
  });

  const swap = fc
    .tuple(fc.uniqueArray(place, { minLength: 2, maxLength: 2 }), fc.boolean())
    .map(([[one, other], isRechained]) => ({
      text: `
        update audit_seal seal set record_id = -twin.record_id from audit_seal twin
        where seal.deployment_id = ${deployment} and twin.deployment_id = ${deployment}
          and (seal.position, twin.position) in ((${one}, ${other}), (${other}, ${one}));
        update audit_seal set record_id = -record_id where deployment_id = ${deployment} and record_id < 0;`,
      isRechained,
    }));

  const truncation = fc.tuple(place, fc.boolean()).map(([count, hidesCheckpoints]) => {
    const behind = (column: string) => `deployment_id = ${deployment} and ${column} > ${length - count}`;
    const cut = `
      delete from audit_record where deployment_id = ${deployment}
        and id in (select record_id from audit_seal where ${behind('position')});
      delete from audit_seal where ${behind('position')};`;
    const hide = `delete from audit_checkpoint where ${behind('size')}`;
    return { text: hidesCheckpoints ? cut + hide : cut, isRechained: false };
  });

  return fc.oneof(edit, removal, insertion, swap, truncation);
}

/** Recomputes all hashes of a chain from its records. */
export async function rechain(client: pg.Client, deployment: string): Promise<void> {
  const { rows } = await client.query(
    renderSql(sql`
      select seal.position, ${canonicalText} as text from audit_seal seal
        join audit_record record on record.deployment_id = seal.deployment_id and record.id = seal.record_id
      where seal.deployment_id = ${deployment} order by seal.position`),
  );
  let hash = CHAIN_START;
  const hashes = rows.map((row) => {
    hash = chainHash(hash, row.text);
    return hash;
  });
  await client.query(
    `update audit_seal set hash = made.hash from unnest($2::bigint[], $3::bytea[]) as made (position, hash)
     where deployment_id = $1 and audit_seal.position = made.position`,
    [deployment, rows.map((row) => row.position), hashes],
  );
}
