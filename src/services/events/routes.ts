import { readerOf } from '#domain/access/reader.ts';
import { newestRecord, recordsAfter } from '#kernel/audit/feed.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { type Call, group } from '#kernel/http/group.ts';
import { LIVE_LIMITS, type LiveStream } from '#kernel/http/live.ts';
import { Raw } from '#kernel/http/raw.ts';
import * as contract from './contract.ts';
import { hubOf } from './hub.ts';
import { frameOf, GREETING, type LiveEvent, recordOf, SIGN_OF_LIFE } from './rules.ts';
import { tell } from './store.ts';

const MOST_MISSED = 1000;

type EventsCall = Call<typeof contract.streamEvents>;

/** A stream for this caller, who may change while it lasts, such as by another role. */
function open({ powers, caller, admitAgain }: EventsCall): { stream: LiveStream; reader: () => Caller } {
  let present = caller;
  const stream = powers.live.open({
    reader: readerOf(caller),
    signOfLife: SIGN_OF_LIFE,
    isStillAllowed: async () => {
      const again = await admitAgain();
      present = again ?? present;
      return again !== undefined;
    },
  });
  const later = { headers: { 'retry-after': '30' } };
  if (stream === 'caller') throw contract.TOO_MANY_STREAMS({ most: LIVE_LIMITS.mostPerCaller }, later);
  if (stream === 'process') throw contract.STREAMS_FULL(later);
  return { stream, reader: () => present };
}

/** What a reader missed since its last event, or that it was too much to tell. */
async function missedBy({ caller, consult }: EventsCall, after: string): Promise<LiveEvent[]> {
  const { deployment } = caller;
  const records = await consult((tx) => recordsAfter(tx, deployment, { after, most: MOST_MISSED + 1 }));
  const last = records.at(-1);
  if (!last) return [];
  if (records.length > MOST_MISSED)
    return [{ record: last.id, type: 'deployment.changed', at: last.at, data: { what: 'everything' } }];
  return (await consult((tx) => tell(tx, deployment, { records, audience: [caller] })))(caller);
}

/** Joins first and looks back then, so that nothing falls between; what is heard twice is told once. */
async function begin(call: EventsCall, { stream, reader }: ReturnType<typeof open>): Promise<void> {
  const { caller, consult, powers, query, request } = call;
  const { deployment } = caller;
  // Before anything is asked for, so that no sign of life comes first.
  stream.say(GREETING);
  const newest = await consult((tx) => newestRecord(tx, deployment));
  const last = recordOf(request.lastEventId || (query.lastEventId ?? ''));
  const start = last !== undefined && BigInt(last) <= BigInt(newest) ? last : newest;
  const told = new Set<string>();
  let waiting: LiveEvent[] | undefined = [];
  const say = (events: readonly LiveEvent[]) => {
    for (const event of events)
      if (BigInt(event.record) > BigInt(start) && !told.has(event.record)) stream.say(frameOf(deployment, event));
  };
  const leave = hubOf(powers.feed).join(deployment, newest, {
    caller: reader,
    consult,
    hear: (events) => (waiting ? void waiting.push(...events) : say(events)),
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
    return new Raw({
      headers: {
        'content-type': 'text/event-stream; charset=utf-8',
        // Proxies in between would otherwise keep events until they have a page of them.
        'x-accel-buffering': 'no',
      },
      body: opened.stream,
    });
  },
});
