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

const MOST_MISSED = 1000;

type EventsCall = Call<typeof contract.streamEvents>;

/** A stream for this caller, who may change while it lasts, such as by another role. */
function open({ services, caller, reauthenticate }: EventsCall): { stream: LiveStream; reader: () => Caller } {
  let present = caller;
  const stream = services.liveStreams.open({
    reader: principalOf(caller),
    keepAliveText: HEARTBEAT_FRAME,
    isStillAllowed: async () => {
      const again = await reauthenticate();
      present = again ?? present;
      return again !== undefined;
    },
  });
  const later = { headers: { 'retry-after': '30' } };
  if (stream === 'caller') throw contract.TOO_MANY_STREAMS({ most: DEFAULT_LIVE_LIMITS.maxStreamsPerReader }, later);
  if (stream === 'process') throw contract.STREAMS_FULL(later);
  return { stream, reader: () => present };
}

/** What a reader missed since its last event, or that it was too much to tell. */
async function missedBy({ caller, read }: EventsCall, after: string): Promise<LiveEvent[]> {
  const { deployment } = caller;
  const records = await read((tx) => listRecordsAfter(tx, deployment, { after, most: MOST_MISSED + 1 }));
  const last = records.at(-1);
  if (!last) return [];
  if (records.length > MOST_MISSED)
    return [{ record: last.id, type: 'deployment.changed', at: last.at, data: { what: 'everything' } }];
  return (await read((tx) => eventsForCallers(tx, deployment, { records, audience: [caller] })))(caller);
}

/** Joins first and looks back then, so that nothing falls between; what is heard twice is told once. */
async function begin(call: EventsCall, { stream, reader }: ReturnType<typeof open>): Promise<void> {
  const { caller, read, services, query, request } = call;
  const { deployment } = caller;
  // Before anything is asked for, so that no sign of life comes first.
  stream.send(RETRY_FRAME);
  const newest = await read((tx) => newestRecordId(tx, deployment));
  const last = parseEventId(request.lastEventId || (query.lastEventId ?? ''));
  const start = last !== undefined && BigInt(last) <= BigInt(newest) ? last : newest;
  const told = new Set<string>();
  let waiting: LiveEvent[] | undefined = [];
  const say = (events: readonly LiveEvent[]) => {
    for (const event of events)
      if (BigInt(event.record) > BigInt(start) && !told.has(event.record)) stream.send(frameOf(deployment, event));
  };
  const leave = hubOf(services.auditFeed).join(deployment, newest, {
    caller: reader,
    read,
    deliver: (events) => (waiting ? void waiting.push(...events) : say(events)),
    fail: () => stream.end(),
  });
  stream.once('close', leave);
  const missed = await missedBy(call, start);
  say(missed);
  for (const { record } of missed) told.add(record);
  say(waiting);
  waiting = undefined;
}

/** EventsService: what happens in a deployment, while it happens. */
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
        // Proxies in between would otherwise keep events until they have a page of them.
        'x-accel-buffering': 'no',
      },
      body: opened.stream,
    });
  },
});
