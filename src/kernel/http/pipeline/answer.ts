import type { Caller } from '#kernel/auth/caller.ts';
import { VERSION_MISMATCH } from '#kernel/contract/common-faults.ts';

/** What a write did, for its audit record: which object, and what it was before and after. */
export interface AuditedEffect {
  object: string;
  before?: unknown;
  after?: unknown;
}

/** What a handler says beside its reply: headers, the version of the object, and what the audit trail shall hold. */
export class Answer {
  readonly headers: Record<string, string> = {};
  effect: AuditedEffect | undefined;
  /** The other status that the operation declares, where this reply has that one. */
  status: number | undefined;
  /** Who a public operation turned out to be for, such as the one who signed in. */
  actor: Caller | undefined;
  readonly #ifMatch: string | undefined;

  constructor(ifMatch: string | undefined) {
    this.#ifMatch = ifMatch;
  }

  /** Refuses the write when the caller named another version than the present one. */
  expectVersion(version: string | number): void {
    if (this.#ifMatch === undefined || this.#ifMatch.trim() === '*') return;
    const named = this.#ifMatch.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
    if (!named.includes(String(version))) throw VERSION_MISMATCH();
  }

  setEtag(version: string | number): void {
    this.headers['etag'] = `"${version}"`;
  }

  recordEffect(effect: AuditedEffect): void {
    this.effect = effect;
  }
}
