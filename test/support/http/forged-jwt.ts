import { createHmac, createSign, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { ed25519From } from '#kernel/crypto/keys/signing-key.ts';

/** A forged JWT. */
export interface Forgery {
  what: string;
  token: string;
}

interface Victim {
  id: string;
  session: string;
}

type Json = Record<string, unknown> | string;
type Signer = (input: string) => Buffer;

const textOf = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
const partOf = (value: Json) => Buffer.from(textOf(value)).toString('base64url');

/** Encodes a token with any header and claims, signed in any way. */
function write(header: Json, claims: Json, signer: Signer): string {
  const input = `${partOf(header)}.${partOf(claims)}`;
  return `${input}.${signer(input).toString('base64url')}`;
}

const nothing: Signer = () => Buffer.alloc(0);
const edwards =
  (key: KeyObject): Signer =>
  (input) =>
    sign(null, Buffer.from(input), key);
const hmac =
  (secret: string | Uint8Array): Signer =>
  (input) =>
    createHmac('sha256', secret).update(input).digest();

/** Changes one character so that the decoded bytes change too. */
function flipped(token: string, at: number): string {
  const letter = token[at] === 'A' ? 'z' : 'A';
  return token.slice(0, at) + letter + token.slice(at + 1);
}

/** The last character of a signature has unused bits: changes the spelling, not the bytes. */
function respelled(token: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return token.slice(0, -1) + alphabet.charAt(alphabet.indexOf(token.at(-1) ?? '') ^ 1);
}

/** Keys that the server does not know; generated once, because RSA keys are slow to generate. */
const OTHER_KEYS = {
  elliptic: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  weak: generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey,
  stranger: generateKeyPairSync('ed25519').privateKey,
};

/** Forges tokens as an attacker who knows everything except the key, and some as one who has it. */
export class Forger {
  readonly #key: ReturnType<typeof ed25519From>;
  readonly #victim: Victim;
  readonly #now: number;

  constructor(keys: KeyRing, victim: Victim, now: Date) {
    this.#key = ed25519From(keys.derive('access-token'));
    this.#victim = victim;
    this.#now = Math.floor(now.getTime() / 1000);
  }

  get #header() {
    return { alg: 'EdDSA', typ: 'at+jwt', kid: this.#key.keyId };
  }

  get #claims() {
    const { id, session } = this.#victim;
    const times = { iat: this.#now, exp: this.#now + 600 };
    return { sid: session, sub: id, iss: 'parapet', aud: 'parapet-api', ...times };
  }

  /** Signed with the real key, so that the error must be found elsewhere. */
  #signed(header: Json, claims: Json = this.#claims): string {
    return write(header, claims, edwards(this.#key.privateKey));
  }

  #with(changes: Record<string, unknown>): string {
    return this.#signed(this.#header, { ...this.#claims, ...changes });
  }

  /** A token that must be accepted; otherwise the forgeries would prove nothing. */
  good(): string {
    return this.#signed(this.#header);
  }

  /** C14: not valid now, or never. */
  times(): Forgery[] {
    const now = this.#now;
    const { exp: _, ...endless } = this.#claims;
    const { iat: __, ...ageless } = this.#claims;
    return [
      { what: 'expired beyond the leeway', token: this.#with({ iat: now - 700, exp: now - 61 }) },
      { what: 'expired long ago', token: this.#with({ exp: 1 }) },
      { what: 'not valid yet', token: this.#with({ nbf: now + 3600 }) },
      { what: 'without exp', token: this.#signed(this.#header, endless) },
      { what: 'without iat', token: this.#signed(this.#header, ageless) },
      { what: 'exp is a string', token: this.#with({ exp: String(now + 600) }) },
      { what: 'exp is null', token: this.#with({ exp: null }) },
    ];
  }

  /** C15: not signed. */
  unsigned(): Forgery[] {
    const algorithms = ['none', 'None', 'NONE', 'nOnE', '', 'EdDSA'];
    return algorithms.flatMap((alg) => {
      const token = write({ ...this.#header, alg }, this.#claims, nothing);
      return [
        { what: `alg ${alg} without signature`, token },
        { what: `alg ${alg} with an arbitrary signature`, token: `${token}AA` },
      ];
    });
  }

  /** C16: signed with public values. */
  confused(): Forgery[] {
    const { publicKey } = this.#key;
    const pem = String(publicKey.export({ format: 'pem', type: 'spki' }));
    const der = publicKey.export({ format: 'der', type: 'spki' });
    const secrets: [what: string, secret: string | Uint8Array][] = [
      ['the PEM', pem],
      ['the PEM without its line end', pem.trim()],
      ['the PEM after a space', ` ${pem}`],
      ['the DER', der],
      ['the raw key', der.subarray(-32)],
      ['the JWK', JSON.stringify(publicKey.export({ format: 'jwk' }))],
      ['nothing', ''],
    ];
    return secrets.map(([what, secret]) => ({
      what: `HS256 with ${what}`,
      token: write({ ...this.#header, alg: 'HS256' }, this.#claims, hmac(secret)),
    }));
  }

  /** C17: signed with another key or algorithm. */
  otherKeys(): Forgery[] {
    const as = (alg: string, signer: Signer) => write({ ...this.#header, alg }, this.#claims, signer);
    const { elliptic, weak, stranger } = OTHER_KEYS;
    const digest =
      (key: KeyObject): Signer =>
      (input) =>
        createSign('SHA256').update(input).sign({ key, dsaEncoding: 'ieee-p1363' });
    return [
      { what: 'another Ed25519 key', token: as('EdDSA', edwards(stranger)) },
      { what: 'the real key with another name of its algorithm', token: as('Ed25519', edwards(this.#key.privateKey)) },
      { what: 'ES256', token: as('ES256', digest(elliptic)) },
      { what: 'ES256 with r = s = 0', token: as('ES256', () => Buffer.alloc(64)) },
      { what: 'EdDSA with a signature of zeros', token: as('EdDSA', () => Buffer.alloc(64)) },
      { what: 'weak RS256', token: as('RS256', digest(weak)) },
    ];
  }

  /** C18: a header that selects the key. */
  keyChoosers(trapUrl: string): Forgery[] {
    const { kid: _, ...nameless } = this.#header;
    const jwk = this.#key.publicKey.export({ format: 'jwk' });
    const kids = ['0000000000000000', '', '../../../dev/null', trapUrl, "' or 1=1 --", this.#key.keyId.toUpperCase()];
    const extras: Record<string, unknown>[] = [
      { jku: trapUrl },
      { x5u: trapUrl },
      { jwk },
      { x5c: ['MIIB'] },
      { x5t: 'AAAA' },
      { unheard: 1 },
    ];
    return [
      { what: 'no kid', token: this.#signed(nameless) },
      { what: 'kid as a number', token: this.#signed({ ...this.#header, kid: 7 }) },
      ...kids.map((kid) => ({ what: `kid ${kid}`, token: this.#signed({ ...this.#header, kid }) })),
      ...extras.map((extra) => ({
        what: `${Object.keys(extra)} in the header`,
        token: this.#signed({ ...this.#header, ...extra }),
      })),
    ];
  }

  /** C19: damaged or ambiguous. */
  damaged(): Forgery[] {
    const good = this.good();
    const [header = '', claims = '', signature = ''] = good.split('.');
    const places = [5, header.length + 9, header.length + claims.length + 12, good.length - 5];
    const twice = (member: string, text: string) => text.replace('{', `{${member},`);
    return [
      ...places.map((at) => ({ what: `character ${at} changed`, token: flipped(good, at) })),
      { what: 'the last character in another spelling', token: respelled(good) },
      { what: 'cut signature', token: `${header}.${claims}.${signature.slice(0, -8)}` },
      { what: 'longer signature', token: `${good}AAAA` },
      { what: 'padding', token: `${good}==` },
      { what: 'signature of another token', token: `${header}.${claims}.${this.#with({ sid: '0' }).split('.')[2]}` },
      { what: 'a claim twice', token: this.#signed(this.#header, twice('"sub":"0"', JSON.stringify(this.#claims))) },
      {
        what: 'a header member twice',
        token: this.#signed(twice('"alg":"none"', JSON.stringify(this.#header)), this.#claims),
      },
      { what: 'claims that are a list', token: this.#signed(this.#header, '[]') },
      { what: 'claims that are not JSON', token: this.#signed(this.#header, '{"sub":') },
      { what: 'two parts', token: `${header}.${claims}` },
      { what: 'four parts', token: `${good}.${signature}` },
      { what: 'the subject as a number', token: this.#with({ sub: Number(this.#victim.id) }) },
      { what: 'a session that is not a number', token: this.#with({ sid: 'x' }) },
      { what: 'a session beyond 64 bits', token: this.#with({ sid: '99999999999999999999' }) },
      { what: 'a session that does not exist', token: this.#with({ sid: '999999999' }) },
      { what: 'no session', token: this.#with({ sid: undefined }) },
    ];
  }

  /** C20: requires unsupported features. */
  extended(): Forgery[] {
    const crit = { ...this.#header, crit: ['exp'] };
    const unencoded = { ...this.#header, b64: false, crit: ['b64'] };
    const zipped = deflateRawSync(JSON.stringify(this.#claims)).toString('latin1');
    return [
      { what: 'crit unknown', token: this.#signed(crit) },
      { what: 'crit empty', token: this.#signed({ ...this.#header, crit: [] }) },
      { what: 'b64 false', token: this.#signed(unencoded) },
      { what: 'b64 false without crit', token: this.#signed({ ...this.#header, b64: false }) },
      { what: 'nested', token: this.#signed({ ...this.#header, cty: 'JWT' }, this.good()) },
      { what: 'zipped', token: this.#signed({ ...this.#header, zip: 'DEF' }, zipped) },
      { what: 'encrypted', token: [partOf({ alg: 'dir', enc: 'A256GCM' }), '', 'AAAA', 'AAAA', 'AAAA'].join('.') },
    ];
  }

  /** C21: from another issuer or for another audience. */
  forOthers(): Forgery[] {
    const { iss: _, ...anonymous } = this.#claims;
    const { aud: __, ...general } = this.#claims;
    return [
      { what: 'another issuer', token: this.#with({ iss: 'https://accounts.example.com' }) },
      { what: 'the issuer in another case', token: this.#with({ iss: 'Parapet' }) },
      { what: 'no issuer', token: this.#signed(this.#header, anonymous) },
      { what: 'another audience', token: this.#with({ aud: 'parapet-web' }) },
      { what: 'several audiences', token: this.#with({ aud: ['parapet-api', 'other'] }) },
      { what: 'no audience', token: this.#signed(this.#header, general) },
    ];
  }

  /** C22: another kind of token, signed by the server. */
  otherTypes(): Forgery[] {
    const { typ: _, ...untyped } = this.#header;
    const types = ['JWT', 'id+jwt', 'rt+jwt', 'logout+jwt', 'cli+jwt', 'task+jwt', 'invitation+jwt', 'at+jwt2', ''];
    return [
      { what: 'no type', token: this.#signed(untyped) },
      ...types.map((typ) => ({ what: `type ${typ}`, token: this.#signed({ ...this.#header, typ }) })),
    ];
  }
}
