import type { Caller } from '#kernel/auth/caller.ts';
import { VERSION_MISMATCH } from '#kernel/contract/common-faults.ts';

/** What a write changed, for its audit record: the object, and its state before and after. */
export interface AuditedEffect {
  object: string;
  before?: unknown;
  after?: unknown;
}

/** What a handler sets besides its reply: headers, the version of the object, and the effect for the audit trail. */
export class Answer {
  readonly headers: Record<string, string> = {};
  readonly cookies: string[] = [];
  effect: AuditedEffect | undefined;
  /** Set when the reply has the second status that the operation declares. */
  status: number | undefined;
  /** Whom a public operation identified, such as the user who signed in. */
  actor: Caller | undefined;
  readonly #ifMatch: string | undefined;

  constructor(ifMatch: string | undefined) {
    this.#ifMatch = ifMatch;
  }

  /** Refuses the write when If-Match names another version than the current one. */
  expectVersion(version: string | number): void {
    if (this.expectedVersions?.includes(String(version)) === false) throw VERSION_MISMATCH();
  }

  /** The versions that If-Match names, with or without quotes; undefined if it is absent or allows any. */
  get expectedVersions(): readonly string[] | undefined {
    if (this.#ifMatch === undefined || this.#ifMatch.trim() === '*') return undefined;
    return this.#ifMatch.split(',').map((tag) => tag.trim().replace(/^"(.*)"$/, '$1'));
  }

  setEtag(version: string | number): void {
    this.headers['etag'] = `"${version}"`;
  }

  recordEffect(effect: AuditedEffect): void {
    this.effect = effect;
  }
}
