import type { z } from 'zod';
import type { Caller } from '#kernel/auth/caller.ts';
import type { FaultKind } from '#kernel/contract/fault.ts';
import { isOperation, type Operation } from '#kernel/contract/operation.ts';
import type { Page } from '#kernel/db/query/page.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { Answer } from './answer.ts';
import type { RawReply } from './raw-reply.ts';
import type { Services } from './services.ts';

/** What a handler receives; it is created only after the caller was authorized. */
export interface Call<Op extends Operation = Operation> {
  path: z.output<Op['path']>;
  query: z.output<Op['query']>;
  body: z.output<Op['body']>;
  /** The body of an upload while it arrives, compressed if it was sent compressed; empty for other operations. */
  upload: AsyncIterable<Buffer>;
  page: Page;
  caller: Caller;
  tx: Tx;
  /** Reads in a short transaction of its own: for operations whose transaction mode is manual. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Reads in a deployment that the path does not name, but a token or a link that this server signed. */
  readIn<Result>(deployment: string, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** The same for writing what another server reports, without an audit record. */
  transactIn<Result>(deployment: string, work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Writes in a short transaction of its own, with the audit record: for the transaction mode `manual`. */
  transact<Result>(work: (tx: Tx) => Promise<Result>, result?: string): Promise<Result>;
  /** The same for an import, which may take minutes; it is not retried, because an upload can be read only once. */
  transactLong<Result>(work: (tx: Tx) => Promise<Result>, result?: string): Promise<Result>;
  /**
   * Writes what follows from an effect that `transact` has recorded, such as the answer of another server: without an
   * audit record of its own.
   */
  transactFurther<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Aborted when the client disconnects before it has the response: for work that takes long. */
  readonly disconnected: AbortSignal;
  /** For long responses: authenticates the caller again; undefined when they may no longer call this operation. */
  reauthenticate(): Promise<Caller | undefined>;
  now: Date;
  request: {
    id: string;
    address: string;
    userAgent: string;
    accept: string;
    cookie: string;
    origin: string;
    rawQuery: string;
    contentType: string;
    /** `identity` or `gzip`. */
    contentEncoding: string;
    /** The last event that a reconnecting reader of an event stream has received. */
    lastEventId: string;
    /** The client's id of a scan, which scanners send with each request of it. */
    scannerRequestId: string;
    /** Any header, by its name in lower case: for the signatures of webhooks. */
    header(name: string): string | undefined;
  };
  answer: Answer;
  services: Services;
}

/** A reply whose JSON text PostgreSQL built. */
export class PrebuiltReply {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type OperationHandler<Op extends Operation> = (
  call: Call<Op>,
) => Promise<z.output<Op['reply']> | PrebuiltReply | RawReply>;

type OperationsOf<Contract> = {
  [Name in keyof Contract as Contract[Name] extends Operation ? Name : never]: Contract[Name];
};

export type OperationHandlers<Contract> = {
  [Name in keyof OperationsOf<Contract>]: OperationsOf<Contract>[Name] extends Operation
    ? OperationHandler<OperationsOf<Contract>[Name]>
    : never;
};

export interface ObjectLookup {
  deployment: string;
  id: string;
  path: Record<string, string>;
  caller: Caller;
}

/**
 * Finds the object that a path parameter names, if this caller may see it: undefined becomes a 404. Otherwise it
 * returns the permissions that the caller has on this object beyond those of the role.
 */
export type ObjectLoader = (tx: Tx, lookup: ObjectLookup) => Promise<ReadonlySet<string> | undefined>;

/** Closes the operations of a group to some callers, with one declared fault. */
export interface OperationGate {
  fault: FaultKind;
  /** Throws the fault when the gate is closed for this call. */
  check: (call: Call) => Promise<void>;
}

export interface GroupOptions {
  objects?: Record<string, ObjectLoader>;
  gates?: readonly OperationGate[];
}

/** An operation with its handler, object loaders and gates. */
export interface BoundOperation {
  group: string;
  name: string;
  operation: Operation;
  handle: OperationHandler<Operation>;
  objects: Record<string, ObjectLoader>;
  gates: readonly OperationGate[];
}

export interface ServiceGroup {
  name: string;
  /** The module that declares the operations, and shapes beside them. */
  contract: object;
  operations: readonly BoundOperation[];
}

/** Binds a contract to its handlers: an operation without a handler does not compile. */
export function group<Contract extends object>(
  name: string,
  contract: Contract,
  handlers: OperationHandlers<Contract>,
  { objects = {}, gates = [] }: GroupOptions = {},
): ServiceGroup {
  const bound = Object.entries(contract).flatMap(([key, operation]): BoundOperation[] => {
    if (!isOperation(operation)) return [];
    const handle = (handlers as Record<string, OperationHandler<Operation>>)[key];
    if (!handle) throw new Error(`${name} has no handler for ${key}.`);
    return [{ group: name, name: key, operation, handle, objects: pick(objects, operation), gates }];
  });
  return { name, contract, operations: bound };
}

const pick = (objects: Record<string, ObjectLoader>, operation: Operation) =>
  Object.fromEntries(Object.entries(objects).filter(([param]) => param in operation.path.shape));
