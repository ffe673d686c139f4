import { z } from 'zod';
import { openSecret, sealSecret } from '#domain/deployments/secrets.ts';
import { count, id } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Secret } from '#kernel/crypto/secret.ts';
import { RowCount, RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { CredentialRecipient } from './rules.ts';

const Row = z.object({
  id: id('PartnerCredential'),
  deploymentId: id('Deployment'),
  clientId: z.string(),
  apiUrl: z.string(),
  tokenUrl: z.string(),
  version: count(),
});

const columns = sql`
  id, deployment_id as "deploymentId", client_id as "clientId", api_url as "apiUrl", token_url as "tokenUrl", version`;

export interface PartnerCredentialRef {
  deployment: string;
  id: string;
}

const secretLocationOf = ({ deployment, id: row }: PartnerCredentialRef) => ({
  deployment,
  table: 'partner_credential',
  column: 'client_secret',
  row,
});

export const list = (tx: Tx, deployment: string) =>
  tx.all(Row)`select ${columns} from partner_credential where deployment_id = ${deployment} order by id`;

export const find = (tx: Tx, ref: PartnerCredentialRef) =>
  tx.one(Row)`
    select ${columns} from partner_credential where deployment_id = ${ref.deployment} and id = ${ref.id}`;

export const findForUpdate = (tx: Tx, ref: PartnerCredentialRef) =>
  tx.one(Row)`
    select ${columns} from partner_credential
    where deployment_id = ${ref.deployment} and id = ${ref.id} for no key update`;

/** The credential with its secret, read in one statement so that they belong together. */
export async function findWithSecret(tx: Tx, keys: KeyRing, ref: PartnerCredentialRef) {
  const found = await tx.one(Row.extend({ sealed: z.string() }))`
    select ${columns}, client_secret as sealed from partner_credential
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
  return found && { ...found, secret: await openSecret(tx, keys, secretLocationOf(ref), found.sealed) };
}

export async function countAll(tx: Tx, deployment: string): Promise<number> {
  const row = await tx.one(
    RowCount,
  )`select count(*) as count from partner_credential where deployment_id = ${deployment}`;
  return row?.count ?? 0;
}

/** The secret is bound to the row, so it is set once the row has an id. */
export async function insert(
  tx: Tx,
  keys: KeyRing,
  entry: { deployment: string; recipient: CredentialRecipient; secret: Secret },
): Promise<string> {
  const { clientId, apiUrl, tokenUrl } = entry.recipient;
  const row = await tx.one(RowId)`
    insert into partner_credential (deployment_id, client_id, api_url, token_url)
    values (${entry.deployment}, ${clientId}, ${apiUrl}, ${tokenUrl}) returning id`;
  const ref = { deployment: entry.deployment, id: returnedId(row) };
  await setSecret(tx, keys, ref, entry.secret);
  return ref.id;
}

export async function setSecret(tx: Tx, keys: KeyRing, ref: PartnerCredentialRef, secret: Secret): Promise<void> {
  const sealed = await sealSecret(tx, keys, secretLocationOf(ref), secret);
  await tx.run`
    update partner_credential set client_secret = ${sealed}
    where deployment_id = ${ref.deployment} and id = ${ref.id}`;
}

export const update = (tx: Tx, ref: PartnerCredentialRef, { clientId, apiUrl, tokenUrl }: CredentialRecipient) =>
  tx.one(Row)`
    update partner_credential
    set client_id = ${clientId}, api_url = ${apiUrl}, token_url = ${tokenUrl}, version = version + 1
    where deployment_id = ${ref.deployment} and id = ${ref.id}
    returning ${columns}`;

export const remove = (tx: Tx, ref: PartnerCredentialRef): Promise<number> =>
  tx.run`delete from partner_credential where deployment_id = ${ref.deployment} and id = ${ref.id}`;
