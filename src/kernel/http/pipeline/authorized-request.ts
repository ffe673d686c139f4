import type { Caller } from '#kernel/auth/caller.ts';
import type { Database } from '#kernel/db/database.ts';
import type { IncomingRequest } from '../message.ts';
import type { BoundOperation } from './group.ts';
import type { ParsedInput } from './parse-input.ts';
import type { Services } from './services.ts';

/** What running an operation in a transaction needs. */
export interface Transactions {
  db: Database;
  services: Services;
  clock: () => Date;
  /** Parses every prebuilt reply with its schema; only tests can afford that. */
  checksPrebuilt: boolean;
}

/** A request that has passed all checks: its operation can run. */
export interface AuthorizedRequest {
  bound: BoundOperation;
  incoming: IncomingRequest;
  caller: Caller;
  path: Record<string, string>;
  query: ParsedInput;
  body: ParsedInput;
  upload: AsyncIterable<Buffer>;
  /** Repeats the authentication; undefined when the caller may no longer call this operation. */
  reauthenticate: () => Promise<Caller | undefined>;
}
