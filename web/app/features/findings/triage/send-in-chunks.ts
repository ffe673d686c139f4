/** The server's reply to one chunk. */
interface ChunkReply {
  batchId?: string | undefined;
  updatedCount: number;
  numExceptionsRequested: number;
}

/** The outcome of a triage: the ids that were done, and those that were not sent after a failure. */
export interface TriageOutcome {
  done: readonly string[];
  rest: readonly string[];
  batches: readonly string[];
  changed: number;
  requested: number;
  failure?: unknown;
}

const MAX_IDS_PER_REQUEST = 500;

/** Sends decisions in chunks of the size that the API accepts. The first failure stops it and undoes nothing. */
export async function sendInChunks(
  ids: readonly string[],
  send: (chunk: string[]) => Promise<ChunkReply>,
  chunkSize = MAX_IDS_PER_REQUEST,
): Promise<TriageOutcome> {
  const batches: string[] = [];
  let [sentCount, changed, requested] = [0, 0, 0];
  const outcome = () => ({ done: ids.slice(0, sentCount), rest: ids.slice(sentCount), batches, changed, requested });
  for (; sentCount < ids.length; sentCount += chunkSize) {
    try {
      const { batchId, updatedCount, numExceptionsRequested } = await send(ids.slice(sentCount, sentCount + chunkSize));
      if (batchId !== undefined) batches.push(batchId);
      changed += updatedCount;
      requested += numExceptionsRequested;
    } catch (failure) {
      return { ...outcome(), failure };
    }
  }
  return outcome();
}
