import { createHmac, randomInt } from 'node:crypto';
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { z } from 'zod';
import { count, timestamp } from '#kernel/contract/proto-fields.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';
import { Secret } from '#kernel/crypto/secret.ts';
import type { Tx } from '#kernel/db/tx.ts';

const PERIOD_SECONDS = 30;
/** How many periods the clock of a phone may be wrong. */
const WINDOW = 1;
const SECRET_BYTES = 20;
const RECOVERY_CODES = 10;
/** Without letters and digits that look alike. */
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789';
const RECOVERY_LENGTH = 12;

const StoredTotp = z.object({
  sealed_secret: z.string(),
  confirmed_at: timestamp().optional(),
  last_step: count(),
  recovery_codes: count(),
});

const purposeOf = (account: string) => `totp ${account}`;
const sealingKey = (keys: KeyRing) => keys.derive('second-factor');

const find = (tx: Tx, account: string) =>
  tx.one(StoredTotp)`
    select sealed_secret, confirmed_at, last_step,
      (select count(*) from account_recovery_code where account_recovery_code.account_id = account_totp.account_id)
        as recovery_codes
    from account_totp where account_id = ${account}`;

export interface SecondFactorState {
  confirmedAt: Date | undefined;
  recoveryCodesLeft: number;
}

/** The second factor of an account; undefined if it has none that is confirmed. */
export async function findConfirmed(tx: Tx, account: string): Promise<SecondFactorState | undefined> {
  const stored = await find(tx, account);
  return stored?.confirmed_at && { confirmedAt: stored.confirmed_at, recoveryCodesLeft: stored.recovery_codes };
}

/** True if an app was added and not confirmed. */
export async function isPending(tx: Tx, account: string): Promise<boolean> {
  const stored = await find(tx, account);
  return stored !== undefined && stored.confirmed_at === undefined;
}

/** Begins with a new secret, which counts once a code of it is confirmed. Does nothing if one is confirmed. */
export async function begin(
  tx: Tx,
  keys: KeyRing,
  { id, email }: { id: string; email: string },
): Promise<{ secret: Secret; uri: Secret } | undefined> {
  const secret = new OtpSecret({ size: SECRET_BYTES });
  const inserted = await tx.run`
    insert into account_totp (account_id, sealed_secret)
    values (${id}, ${seal(sealingKey(keys), purposeOf(id), secret.base32)})
    on conflict (account_id) do update set sealed_secret = excluded.sealed_secret, created_at = now(), last_step = 0
    where account_totp.confirmed_at is null`;
  if (inserted === 0) return undefined;
  const uri = new TOTP({ issuer: 'Parapet', label: email, secret, period: PERIOD_SECONDS }).toString();
  return { secret: new Secret(secret.base32), uri: new Secret(uri) };
}

const hashOf = (keys: KeyRing, account: string, code: string): string =>
  createHmac('sha256', keys.derive('recovery-code')).update(`${account} ${code}`).digest('base64url');

const normalized = (code: string) => code.toLowerCase().replace(/[\s-]/g, '');

const makeRecoveryCode = (): string =>
  Array.from({ length: RECOVERY_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('');

/** Replaces the recovery codes of an account; they are shown once. */
export async function renewRecoveryCodes(tx: Tx, keys: KeyRing, account: string): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, makeRecoveryCode);
  await tx.run`delete from account_recovery_code where account_id = ${account}`;
  await tx.run`
    insert into account_recovery_code (account_id, hash)
    select ${account}, hash from unnest(${codes.map((code) => hashOf(keys, account, code))}::text[]) as hash`;
  return codes.map((code) => code.replace(/(.{4})(?=.)/g, '$1-'));
}

/** The period of the code, or undefined if it is not a code of the app now. */
function stepOf(secret: string, code: string, now: Date): number | undefined {
  const totp = new TOTP({ secret: OtpSecret.fromBase32(secret), period: PERIOD_SECONDS });
  const delta = totp.validate({ token: code, timestamp: now.getTime(), window: WINDOW });
  return delta === null ? undefined : Math.floor(now.getTime() / 1000 / PERIOD_SECONDS) + delta;
}

export interface CodeCheck {
  account: string;
  code: string;
  now: Date;
}

/** Accepts a code of the app, once; confirms the app if it was not. */
async function acceptAppCode(tx: Tx, keys: KeyRing, { account, code, now }: CodeCheck): Promise<boolean> {
  const stored = await find(tx, account);
  const secret = stored && unseal(sealingKey(keys), purposeOf(account), stored.sealed_secret);
  const step = secret && /^\d{6}$/.test(code) ? stepOf(secret.toString('utf8'), code, now) : undefined;
  if (step === undefined) return false;
  const changed = await tx.run`
    update account_totp set last_step = ${step}, confirmed_at = coalesce(confirmed_at, ${now})
    where account_id = ${account} and last_step < ${step}`;
  return changed === 1;
}

/** Confirms the app that `begin` made, with its first code. */
export async function confirm(tx: Tx, keys: KeyRing, check: CodeCheck): Promise<boolean> {
  if (await findConfirmed(tx, check.account)) return false;
  return acceptAppCode(tx, keys, { ...check, code: normalized(check.code) });
}

/** Accepts a code of the app or a recovery code, each once. */
export async function accept(tx: Tx, keys: KeyRing, { account, code, now }: CodeCheck): Promise<boolean> {
  const text = normalized(code);
  if (await acceptAppCode(tx, keys, { account, code: text, now })) return true;
  const used = await tx.run`
    delete from account_recovery_code where account_id = ${account} and hash = ${hashOf(keys, account, text)}`;
  return used === 1;
}

/** Removes the app and the recovery codes. */
export async function remove(tx: Tx, account: string): Promise<void> {
  await tx.run`delete from account_totp where account_id = ${account}`;
  await tx.run`delete from account_recovery_code where account_id = ${account}`;
}
