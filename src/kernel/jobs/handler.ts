import type { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import type { JobKind } from './job.ts';

/** What the handler of a job receives. */
export interface JobCall<Payload = unknown> {
  payload: Payload;
  /** The deployment of the job; 0 is the server itself. */
  deployment: string;
  /** Counts from 1. */
  attempt: number;
  /** Aborted when the lease is lost or the worker has to stop. */
  signal: AbortSignal;
  /** Reads before the effects, for example to make an outbound call in between. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Commits the effects together with the end of the job; throws LeaseLost when another worker has taken it over. */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

export interface JobHandler {
  readonly kind: JobKind;
  run(call: JobCall): Promise<void>;
}

/** Binds a kind of job to its work; a job that does not call `transact` is done when the work returns. */
export function jobHandler<Payload extends z.ZodObject>(
  kind: JobKind<Payload>,
  work: (call: JobCall<z.output<Payload>>) => Promise<void>,
): JobHandler {
  return { kind, run: (call) => work({ ...call, payload: kind.payload.parse(call.payload) }) };
}
