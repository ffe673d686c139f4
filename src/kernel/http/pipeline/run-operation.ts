import { z } from 'zod';
import { writeAuditRecord } from '#kernel/audit/audit-record.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { Fault } from '#kernel/contract/fault.ts';
import { acceptsIdempotencyKey, isDeploymentScoped } from '#kernel/contract/operation.ts';
import type { TransactionOptions } from '#kernel/db/database.ts';
import type { Page } from '#kernel/db/query/page.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { IncomingRequest, OutgoingResponse } from '../message.ts';
import { Answer } from './answer.ts';
import type { AuthorizedRequest, Transactions } from './authorized-request.ts';
import { type BoundOperation, type Call, PrebuiltReply } from './group.ts';
import { findStoredReply, identifyRequest, readIdempotencyKey, storeReply } from './idempotency.ts';
import { openPage } from './open-page.ts';
import { RawReply, renderRawReply } from './raw-reply.ts';

/** The work in one transaction with its audit record and its stored reply: all of it happens, or none. */
export async function runOperation(workshop: Transactions, work: AuthorizedRequest): Promise<OutgoingResponse> {
  const { bound, incoming } = work;
  const { operation } = bound;
  const key = acceptsIdempotencyKey(operation) ? readIdempotencyKey(incoming.header('idempotency-key')) : undefined;
  const page = openPage(workshop, work);
  if (operation.transaction !== 'automatic') return alone(workshop, work, page);
  const done = await workshop.db.transaction({ ...scopeOf(work), isRead: operation.isRead }, async (tx) => {
    const sealing = workshop.services.keys.derive('idempotency');
    const promised = key === undefined ? undefined : identifyRequest({ ...promiseOf(work, key), sealing });
    const before = promised && (await findStoredReply(tx, sealing, promised));
    if (before) return before;
    const call = callOf(workshop, work, { tx, page });
    await lookUp(tx, work);
    for (const gate of bound.gates) await gate.check(call);
    const outgoing = await attempt(workshop, bound, call);
    const result = outgoing instanceof Fault ? outgoing.kind.code : String(outgoing.status);
    if (!operation.isRead)
      await writeAuditRecord(tx, workshop.services.keys.derive('audit'), entryOf(work, call, result));
    if (promised && !(outgoing instanceof Fault)) await storeReply(tx, sealing, promised, outgoing);
    return outgoing;
  });
  if (done instanceof Fault) throw done;
  return done;
}

/** A refusal that keeps its work is handed on as a value, so that the transaction commits. */
async function attempt(workshop: Transactions, bound: BoundOperation, call: Call): Promise<OutgoingResponse | Fault> {
  try {
    return render(workshop, { bound, call, reply: await bound.handle(call) });
  } catch (error) {
    if (error instanceof Fault && error.extras.commits) return error;
    throw error;
  }
}

/** An operation without a transaction of its own opens short ones where it needs them, if it may have any. */
async function alone(workshop: Transactions, work: AuthorizedRequest, page: Page): Promise<OutgoingResponse> {
  const call = callOf(workshop, work, { tx: noTransaction, page });
  const { gates } = work.bound;
  if (gates.length > 0)
    await call.read(async (tx) => {
      for (const gate of gates) await gate.check({ ...call, tx });
    });
  return render(workshop, { bound: work.bound, call, reply: await work.bound.handle(call) });
}

const noTransaction = new Proxy({} as Tx, {
  get: () => {
    throw new Error('This operation has no transaction of its own.');
  },
});

const scopeOf = ({ bound, caller }: AuthorizedRequest): Pick<TransactionOptions, 'role' | 'deployment'> =>
  isDeploymentScoped(bound.operation) || (bound.operation.credential === 'optional' && caller.deployment !== '')
    ? { role: 'app', deployment: caller.deployment }
    : { role: 'auth' };

const promiseOf = ({ bound, caller, path, query, body }: AuthorizedRequest, key: string) => ({
  deployment: caller.deployment,
  credential: caller.credential,
  operation: `${bound.group}.${bound.name}`,
  key,
  request: [path, query.wire, body.wire],
});

/**
 * True when the objects of the path are looked up in the transaction of the work: without a body nothing is read
 * before it, and with an idempotency key the stored reply comes first, because the work may have taken the object away.
 */
export function loadsObjectsInTransaction(
  { operation }: BoundOperation,
  incoming: Pick<IncomingRequest, 'header'>,
): boolean {
  if (operation.transaction !== 'automatic') return false;
  return !operation.hasBody || (!operation.isRead && incoming.header('idempotency-key') !== undefined);
}

async function lookUp(tx: Tx, { bound, incoming, caller, path }: AuthorizedRequest): Promise<void> {
  if (!loadsObjectsInTransaction(bound, incoming)) return;
  for (const [param, load] of Object.entries(bound.objects)) {
    const found = await load(tx, { deployment: caller.deployment, id: path[param] ?? '', path, caller });
    if (!found) throw NOT_FOUND();
  }
}

function callOf(workshop: Transactions, work: AuthorizedRequest, { tx, page }: { tx: Tx; page: Page }): Call {
  const { incoming, caller, path, query, body, upload } = work;
  const { db, services } = workshop;
  const transact =
    (isLong: boolean): Call['transact'] =>
    (act, result = String(work.bound.operation.status)) =>
      db.transaction({ ...scopeOf(work), isRead: false, isLong }, async (inner) => {
        const done = await act(inner);
        await writeAuditRecord(inner, services.keys.derive('audit'), entryOf(work, call, result));
        return done;
      });
  const call: Call = {
    path,
    query: query.value,
    body: body.value,
    upload,
    page,
    caller,
    tx,
    now: workshop.clock(),
    request: {
      id: incoming.requestId,
      address: incoming.address,
      userAgent: incoming.header('user-agent') ?? '',
      accept: incoming.header('accept') ?? '',
      cookie: incoming.header('cookie') ?? '',
      origin: incoming.header('origin') ?? '',
      rawQuery: incoming.rawQuery,
      contentType: incoming.header('content-type') ?? '',
      contentEncoding: incoming.header('content-encoding')?.toLowerCase() ?? 'identity',
      lastEventId: incoming.header('last-event-id') ?? '',
    },
    answer: new Answer(incoming.header('if-match')),
    services,
    reauthenticate: work.reauthenticate,
    read: (ask) => db.transaction({ ...scopeOf(work), isRead: true }, ask),
    readIn: (deployment, ask) => db.transaction({ role: 'app', deployment, isRead: true }, ask),
    transact: transact(false),
    transactLong: transact(true),
  };
  return call;
}

function render(workshop: Transactions, done: { bound: BoundOperation; call: Call; reply: unknown }): OutgoingResponse {
  const { operation } = done.bound;
  const { answer, page } = done.call;
  const status = answer.status ?? operation.status;
  if (status !== operation.status && status !== operation.otherStatus)
    throw new Error(`${operation.template} answers with ${status}, which it does not declare.`);
  if (done.reply instanceof RawReply) return renderRawReply(operation, done.reply, answer.headers);
  if (operation.raw) throw new Error(`${operation.template} answers with JSON, which it does not declare.`);
  if (operation.status === 204) return { status: 204, headers: { ...answer.headers }, body: '' };
  const headers: Record<string, string> = { 'content-type': 'application/json; charset=utf-8', ...answer.headers };
  if (page.next !== '' && operation.method === 'GET') headers['link'] = nextLink(done.call.request.rawQuery, page.next);
  if (done.reply instanceof PrebuiltReply) {
    if (workshop.checksPrebuilt) operation.reply.parse(JSON.parse(done.reply.text));
    return { status, headers, body: done.reply.text };
  }
  const body = JSON.stringify(z.encode(operation.reply, done.reply as z.output<typeof operation.reply>));
  return { status, headers, body };
}

/** The same question again, from where this page ends. */
function nextLink(rawQuery: string, cursor: string): string {
  const query = new URLSearchParams(rawQuery);
  query.set('cursor', cursor);
  return `<?${query}>; rel="next"`;
}

function entryOf({ bound, caller, incoming, path }: AuthorizedRequest, call: Call, result: string) {
  const { effect } = call.answer;
  return {
    caller: call.caller.kind === 'nobody' ? (call.answer.actor ?? caller) : caller,
    requestId: incoming.requestId,
    address: incoming.address,
    operation: `${bound.group}.${bound.name}`,
    object: effect?.object ?? Object.values(path).join('/'),
    result,
    before: effect?.before,
    after: effect?.after,
  };
}
