import type { z } from 'zod';
import type { Tx } from '#kernel/db/tx.ts';
import type { JobKind } from './job.ts';

/** What the work of a job gets. */
export interface JobCall<Payload = unknown> {
  payload: Payload;
  /** Which deployment it is for; 0 is the server itself. */
  deployment: string;
  /** Counts from 1. */
  attempt: number;
  /** Aborted when the lease is lost or the worker has to stop. */
  signal: AbortSignal;
  /** Looks into the database before the effects, for instance to make an outbound call between the two. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Commits effects together with the end of the job, once; throws LeaseLost when another worker has it by now. */
  transact<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
}

export interface JobHandler {
  readonly kind: JobKind;
  run(call: JobCall): Promise<void>;
}

/** Says how jobs of a kind are done; a job whose work does not end in `transact` is done when the work returns. */
export function jobHandler<Payload extends z.ZodObject>(
  kind: JobKind<Payload>,
  work: (call: JobCall<z.output<Payload>>) => Promise<void>,
): JobHandler {
  return { kind, run: (call) => work({ ...call, payload: kind.payload.parse(call.payload) }) };
}
