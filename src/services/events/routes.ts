import { principalOf } from '#domain/access/principal.ts';
import { listRecordsAfter, newestRecordId } from '#kernel/audit/audit-feed.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import { DEFAULT_LIVE_LIMITS, type LiveStream } from '#kernel/http/pipeline/live-stream.ts';
import { RawReply } from '#kernel/http/pipeline/raw-reply.ts';
import * as contract from './contract.ts';
import { hubOf } from './event-hub.ts';
import { frameOf, HEARTBEAT_FRAME, type LiveEvent, parseEventId, RETRY_FRAME } from './rules.ts';
import { eventsForCallers } from './store.ts';

const MAX_MISSED_RECORDS = 1000;

type EventsCall = Call<typeof contract.streamEvents>;

/** Opens a stream. The caller can change while it is open, for example by a new role. */
function open({ services, caller, reauthenticate }: EventsCall): { stream: LiveStream; currentCaller: () => Caller } {
  let current = caller;
  const stream = services.liveStreams.open({
    reader: principalOf(caller),
    keepAliveText: HEARTBEAT_FRAME,
    isStillAllowed: async () => {
      const again = await reauthenticate();
      current = again ?? current;
      return again !== undefined;
    },
  });
  const retryLater = { headers: { 'retry-after': '30' } };
  if (stream === 'caller')
    throw contract.TOO_MANY_STREAMS({ most: DEFAULT_LIVE_LIMITS.maxStreamsPerReader }, retryLater);
  if (stream === 'process') throw contract.STREAMS_FULL(retryLater);
  return { stream, currentCaller: () => current };
}

/** The events that a client missed since its last event; if there are too many, one event for everything. */
async function missedBy({ caller, read }: EventsCall, after: string): Promise<LiveEvent[]> {
  const { deployment } = caller;
  const records = await read((tx) => listRecordsAfter(tx, deployment, { after, most: MAX_MISSED_RECORDS + 1 }));
  const last = records.at(-1);
  if (!last) return [];
  if (records.length > MAX_MISSED_RECORDS)
    return [{ record: last.id, type: 'deployment.changed', at: last.at, data: { what: 'everything' } }];
  return (await read((tx) => eventsForCallers(tx, deployment, { records, callers: [caller] })))(caller);
}

/** Subscribes before it loads the missed events, so that none is lost; duplicates are sent once. */
async function begin(call: EventsCall, { stream, currentCaller }: ReturnType<typeof open>): Promise<void> {
  const { caller, read, services, query, request } = call;
  const { deployment } = caller;
  // Sent before any query, so that no heartbeat comes first.
  stream.send(RETRY_FRAME);
  const newest = await read((tx) => newestRecordId(tx, deployment));
  const last = parseEventId(request.lastEventId || (query.lastEventId ?? ''));
  const start = last !== undefined && BigInt(last) <= BigInt(newest) ? last : newest;
  const sent = new Set<string>();
  let pending: LiveEvent[] | undefined = [];
  const send = (events: readonly LiveEvent[]) => {
    for (const event of events)
      if (BigInt(event.record) > BigInt(start) && !sent.has(event.record)) stream.send(frameOf(deployment, event));
  };
  const unsubscribe = hubOf(services.auditFeed).subscribe(deployment, newest, {
    caller: currentCaller,
    read,
    deliver: (events) => (pending ? void pending.push(...events) : send(events)),
    fail: () => stream.end(),
  });
  stream.once('close', unsubscribe);
  const missed = await missedBy(call, start);
  send(missed);
  for (const { record } of missed) sent.add(record);
  send(pending);
  pending = undefined;
}

/** EventsService: a live stream of the events of a deployment. */
export const events = group('EventsService', contract, {
  streamEvents: async (call) => {
    const opened = open(call);
    try {
      await begin(call, opened);
    } catch (error) {
      opened.stream.destroy();
      throw error;
    }
    return new RawReply({
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // Keeps proxies from buffering events.
        'x-accel-buffering': 'no',
      },
      body: opened.stream,
    });
  },
});
