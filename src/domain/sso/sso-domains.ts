import { createHmac } from 'node:crypto';
import { z } from 'zod';
import { timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { SsoDomain } from './sso-shape.ts';

export interface DomainRef {
  deployment: string;
  domain: string;
}

/** The text of the TXT record: it names the deployment and the domain, so that nobody can use the record of another. */
const proofOf = (keys: KeyRing, { deployment, domain }: DomainRef): string => {
  const digest = createHmac('sha256', keys.derive('domain-proof'))
    .update(`${deployment} ${domain}`)
    .digest('base64url');
  return `parapet-domain-verification=${digest.slice(0, 32)}`;
};

const recordNameOf = (domain: string): string => `_parapet-challenge.${domain}`;

const DomainRow = z.object({ domain: z.string(), provedAt: timestamp().optional() });

const shown = (keys: KeyRing, deployment: string, row: z.output<typeof DomainRow>): SsoDomain => ({
  ...row,
  recordName: recordNameOf(row.domain),
  recordValue: proofOf(keys, { deployment, domain: row.domain }),
});

export async function listDomains(tx: Tx, keys: KeyRing, deployment: string): Promise<SsoDomain[]> {
  const rows = await tx.all(DomainRow)`
    select domain, proved_at as "provedAt" from deployment_domain
    where deployment_id = ${deployment} order by domain`;
  return rows.map((row) => shown(keys, deployment, row));
}

export async function findDomain(tx: Tx, keys: KeyRing, ref: DomainRef): Promise<SsoDomain | undefined> {
  const row = await tx.one(DomainRow)`
    select domain, proved_at as "provedAt" from deployment_domain
    where deployment_id = ${ref.deployment} and domain = ${ref.domain}`;
  return row && shown(keys, ref.deployment, row);
}

export async function countDomains(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(RowCount)`
    select count(*) as count from deployment_domain where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

/** Adds a domain, which proves nothing yet; false if the deployment has it already. */
export const addDomain = async (tx: Tx, { deployment, domain }: DomainRef): Promise<boolean> =>
  (await tx.run`
    insert into deployment_domain (deployment_id, domain) values (${deployment}, ${domain}) on conflict do nothing`) ===
  1;

/** Marks a domain as proved; false if another deployment has proved it, which only the unique index sees. */
export async function proveDomain(tx: Tx, { deployment, domain }: DomainRef, at: Date): Promise<boolean> {
  await tx.run`
    delete from deployment_domain where deployment_id = ${deployment} and domain = ${domain} and proved_at is null`;
  const written = await tx.run`
    insert into deployment_domain (deployment_id, domain, proved_at) values (${deployment}, ${domain}, ${at})
    on conflict do nothing`;
  return written === 1;
}

export const removeDomain = (tx: Tx, { deployment, domain }: DomainRef): Promise<number> =>
  tx.run`delete from deployment_domain where deployment_id = ${deployment} and domain = ${domain}`;

/** True if one of the TXT records is the proof of this deployment. */
export const isProof = (domain: SsoDomain, records: readonly (readonly string[])[]): boolean =>
  records.some((parts) => parts.join('').trim() === domain.recordValue);
