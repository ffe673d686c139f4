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

/** Runs the handler in one transaction with its audit record and its stored reply: all is committed, or nothing. */
export async function runOperation(transactions: Transactions, request: AuthorizedRequest): Promise<OutgoingResponse> {
  const { bound, incoming } = request;
  const { operation } = bound;
  const key = acceptsIdempotencyKey(operation) ? readIdempotencyKey(incoming.header('idempotency-key')) : undefined;
  const page = openPage(transactions, request);
  if (operation.transaction !== 'automatic') return runWithoutTransaction(transactions, request, page);
  const outcome = await transactions.db.transaction({ ...scopeOf(request), isRead: operation.isRead }, async (tx) => {
    const sealingKey = transactions.services.keys.derive('idempotency');
    const identified = key === undefined ? undefined : identifyRequest({ ...contentOf(request, key), sealingKey });
    const stored = identified && (await findStoredReply(tx, sealingKey, identified));
    if (stored) return stored;
    const call = callOf(transactions, request, { tx, page });
    await loadObjects(tx, request);
    for (const gate of bound.gates) await gate.check(call);
    const outgoing = await attempt(transactions, bound, call);
    const result = outgoing instanceof Fault ? outgoing.kind.code : String(outgoing.status);
    if (!operation.isRead)
      await writeAuditRecord(tx, transactions.services.keys.derive('audit'), entryOf(request, call, result));
    if (identified && !(outgoing instanceof Fault)) await storeReply(tx, sealingKey, identified, outgoing);
    return outgoing;
  });
  if (outcome instanceof Fault) throw outcome;
  return outcome;
}

/** Returns a fault that commits as a value, so that the transaction is not rolled back. */
async function attempt(
  transactions: Transactions,
  bound: BoundOperation,
  call: Call,
): Promise<OutgoingResponse | Fault> {
  try {
    return render(transactions, { bound, call, reply: await bound.handle(call) });
  } catch (error) {
    if (error instanceof Fault && error.extras.commits) return error;
    throw error;
  }
}

/** Runs a handler that opens its transactions itself, or needs none. */
async function runWithoutTransaction(
  transactions: Transactions,
  request: AuthorizedRequest,
  page: Page,
): Promise<OutgoingResponse> {
  const call = callOf(transactions, request, { tx: noTransaction, page });
  const { gates } = request.bound;
  if (gates.length > 0)
    await call.read(async (tx) => {
      for (const gate of gates) await gate.check({ ...call, tx });
    });
  return render(transactions, { bound: request.bound, call, reply: await request.bound.handle(call) });
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

const contentOf = ({ bound, caller, path, query, body }: AuthorizedRequest, key: string) => ({
  deployment: caller.deployment,
  credential: caller.credential,
  operation: `${bound.group}.${bound.name}`,
  key,
  request: [path, query.wire, body.wire],
});

/**
 * True when the objects of the path are loaded in the transaction of the handler. Without a body nothing has to be
 * checked before it is read. With an idempotency key the stored reply is found first, because the request may have
 * deleted the object.
 */
export function loadsObjectsInTransaction(
  { operation }: BoundOperation,
  incoming: Pick<IncomingRequest, 'header'>,
): boolean {
  if (operation.transaction !== 'automatic') return false;
  return !operation.hasBody || (!operation.isRead && incoming.header('idempotency-key') !== undefined);
}

async function loadObjects(tx: Tx, { bound, incoming, caller, path }: AuthorizedRequest): Promise<void> {
  if (!loadsObjectsInTransaction(bound, incoming)) return;
  for (const [param, load] of Object.entries(bound.objects)) {
    const found = await load(tx, { deployment: caller.deployment, id: path[param] ?? '', path, caller });
    if (!found) throw NOT_FOUND();
  }
}

function callOf(transactions: Transactions, request: AuthorizedRequest, { tx, page }: { tx: Tx; page: Page }): Call {
  const { incoming, caller, path, query, body, upload } = request;
  const { db, services } = transactions;
  const transact =
    (isLong: boolean): Call['transact'] =>
    (work, result = String(request.bound.operation.status)) =>
      db.transaction(
        { ...scopeOf(request), isRead: false, ...(isLong && { isLong, signal: incoming.disconnected }) },
        async (inner) => {
          const value = await work(inner);
          await writeAuditRecord(inner, services.keys.derive('audit'), entryOf(request, call, result));
          return value;
        },
      );
  const call: Call = {
    path,
    query: query.value,
    body: body.value,
    upload,
    page,
    caller,
    tx,
    now: transactions.clock(),
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
      scannerRequestId: incoming.header('x-semgrep-scan-id') ?? '',
      header: (name) => incoming.header(name),
    },
    answer: new Answer(incoming.header('if-match')),
    services,
    get disconnected() {
      return incoming.disconnected;
    },
    reauthenticate: request.reauthenticate,
    read: (work) => db.transaction({ ...scopeOf(request), isRead: true }, work),
    readIn: (deployment, work) => db.transaction({ role: 'app', deployment, isRead: true }, work),
    transactIn: (deployment, work) => db.transaction({ role: 'app', deployment, isRead: false }, work),
    transact: transact(false),
    transactLong: transact(true),
    transactFurther: (work) => db.transaction({ ...scopeOf(request), isRead: false }, work),
  };
  return call;
}

function render(
  transactions: Transactions,
  { bound, call, reply }: { bound: BoundOperation; call: Call; reply: unknown },
): OutgoingResponse {
  const { operation } = bound;
  const { answer, page } = call;
  const status = answer.status ?? operation.status;
  if (status !== operation.status && status !== operation.otherStatus)
    throw new Error(`${operation.template} answers with ${status}, which it does not declare.`);
  if (reply instanceof RawReply) return renderRawReply(operation, reply, answer.headers);
  if (operation.raw) throw new Error(`${operation.template} answers with JSON, which it does not declare.`);
  if (operation.status === 204) return { status: 204, headers: { ...answer.headers }, body: '' };
  const type = operation.mediaType ?? 'application/json';
  const headers: Record<string, string> = { 'content-type': `${type}; charset=utf-8`, ...answer.headers };
  if (page.next !== '' && operation.method === 'GET') headers['link'] = nextLink(call.request.rawQuery, page.next);
  if (reply instanceof PrebuiltReply) {
    if (transactions.checksPrebuilt) operation.reply.parse(JSON.parse(reply.text));
    return { status, headers, body: reply.text };
  }
  const body = JSON.stringify(z.encode(operation.reply, reply as z.output<typeof operation.reply>));
  return { status, headers, body, ...(answer.cookies.length > 0 && { cookies: answer.cookies }) };
}

/** The Link header of the next page. */
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
