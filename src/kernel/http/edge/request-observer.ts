import { Counter, Histogram, type Registry } from 'prom-client';
import type { DenialLog } from '#kernel/audit/denial-log.ts';
import type { Fault } from '#kernel/contract/fault.ts';
import type { Log } from '#kernel/log/log.ts';
import type { RequestTrace } from '../pipeline/pipeline.ts';
import { isServerSide } from './problem.ts';

interface Failure {
  error: unknown;
  fault: Fault;
  requestId: string;
  trace: RequestTrace;
  address: string;
}

interface Answered {
  method: string;
  status: number;
  trace: RequestTrace;
  requestId: string;
  elapsedMs: number;
}

const BUCKETS_SECONDS = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];

/** Records each request in the log and the metrics, and denials in the audit trail. */
export class RequestObserver {
  readonly #log: Log;
  /** Its lines contain only our own members, so redaction is switched off. */
  readonly #requests: Log;
  readonly #denials: DenialLog;
  readonly #durations: Histogram<'operation' | 'status'>;
  readonly #histograms = new Map<string, Histogram.Internal<'operation' | 'status'>>();
  readonly #failures: Counter<'code'>;

  constructor({ log, denials, registry }: { log: Log; denials: DenialLog; registry: Registry }) {
    this.#log = log;
    this.#requests = log.child({}, { redact: [] });
    this.#denials = denials;
    this.#durations = new Histogram({
      name: 'parapet_request_seconds',
      help: 'Time to answer a request, by operation and status.',
      labelNames: ['operation', 'status'],
      buckets: BUCKETS_SECONDS,
      registers: [registry],
    });
    this.#failures = new Counter({
      name: 'parapet_failures_total',
      help: 'Requests that failed on the side of the server, by code.',
      labelNames: ['code'],
      registers: [registry],
    });
  }

  /** Cached, because the lookup by labels costs more than the observation. */
  #durationsOf(operation: string, status: number): Histogram.Internal<'operation' | 'status'> {
    const key = `${operation} ${status}`;
    let found = this.#histograms.get(key);
    if (!found) {
      found = this.#durations.labels(operation, String(status));
      this.#histograms.set(key, found);
    }
    return found;
  }

  recordFailure({ error, fault, requestId, trace, address }: Failure): void {
    const { kind } = fault;
    if (isServerSide(kind)) {
      this.#failures.inc({ code: kind.code });
      this.#log.error({ requestId, operation: nameOf(trace), err: error }, 'request failed');
    }
    const isDenial = (kind.status === 403 || kind.status === 404) && trace.caller.kind !== 'nobody';
    if (isDenial)
      this.#denials.add({ caller: trace.caller, operation: nameOf(trace), code: kind.code, address, requestId });
  }

  recordResponse({ method, status, trace, requestId, elapsedMs }: Answered): void {
    const operation = nameOf(trace);
    this.#durationsOf(operation, status).observe(elapsedMs / 1000);
    const level = status >= 500 ? 'error' : 'info';
    this.#requests[level](
      {
        requestId,
        method,
        operation,
        status,
        deployment: trace.caller.deployment,
        actor: trace.caller.credential,
        ms: Math.round(elapsedMs),
      },
      'request',
    );
  }
}

const nameOf = ({ bound }: RequestTrace) => (bound ? `${bound.group}.${bound.name}` : 'none');
