/** What the server made of one portion. */
interface Answer {
  batchId?: string | undefined;
  updatedCount: number;
  numExceptionsRequested: number;
}

/** What became of many decisions: those that were taken, and those that a failure kept from being sent. */
export interface TriageOutcome {
  done: readonly string[];
  rest: readonly string[];
  batches: readonly string[];
  changed: number;
  requested: number;
  failure?: unknown;
}

const MOST_AT_ONCE = 500;

/** Sends decisions in portions that the server takes; the first that fails ends it and takes back nothing. */
export async function sendInChunks(
  ids: readonly string[],
  send: (some: string[]) => Promise<Answer>,
  most = MOST_AT_ONCE,
): Promise<TriageOutcome> {
  const batches: string[] = [];
  let [at, changed, requested] = [0, 0, 0];
  const sent = () => ({ done: ids.slice(0, at), rest: ids.slice(at), batches, changed, requested });
  for (; at < ids.length; at += most) {
    try {
      const { batchId, updatedCount, numExceptionsRequested } = await send(ids.slice(at, at + most));
      if (batchId !== undefined) batches.push(batchId);
      changed += updatedCount;
      requested += numExceptionsRequested;
    } catch (failure) {
      return { ...sent(), failure };
    }
  }
  return sent();
}
