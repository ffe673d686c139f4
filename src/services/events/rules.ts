import { isInt64 } from '#kernel/contract/field-kinds.ts';

/** A record of what was done, as far as events are made from it. */
export interface AuditedChange {
  id: string;
  at: string;
  operation: string;
  object: string;
}

export interface LiveEvent {
  /** The record it was made from. */
  record: string;
  type: 'scan.completed' | 'findings.triaged' | 'deployment.changed';
  at: string;
  data: Record<string, unknown>;
}

const ENDS_SCAN: ReadonlySet<string> = new Set(['ImportsService.importReport', 'ScannerService.completeScan']);
const UNDOES = 'IssuesService.undoBatch';

export interface ClassifiedRecords {
  scans: { done: AuditedChange; scan: string }[];
  batches: { done: AuditedChange; batch: string; isUndone: boolean }[];
  changes: LiveEvent[];
}

/** The kind of a thing from `kind/id`; a record that names only ids is of the deployment. */
export function objectKindOf(object: string): string {
  const [kind = ''] = object.split('/');
  return /^[a-z][a-z_-]*$/i.test(kind) ? kind : 'deployment';
}

const changeOf = ({ id: record, at }: AuditedChange, what: string): LiveEvent => ({
  record,
  type: 'deployment.changed',
  at,
  data: { what },
});

/** Tells scans that ended and decisions from all else, of which each kind of thing is told once, with the last. */
export function classifyRecords(records: readonly AuditedChange[]): ClassifiedRecords {
  const scans: ClassifiedRecords['scans'] = [];
  const batches: ClassifiedRecords['batches'] = [];
  const changes = new Map<string, LiveEvent>();
  for (const done of records) {
    const { operation, object } = done;
    const what = objectKindOf(object);
    const thing = object.slice(what.length + 1);
    const isOne = isInt64(thing) && thing !== '0';
    if (what === 'scan' && isOne && ENDS_SCAN.has(operation)) scans.push({ done, scan: thing });
    else if (what === 'batch' && isOne) batches.push({ done, batch: thing, isUndone: operation === UNDOES });
    else if (what !== 'batch') {
      changes.delete(what);
      changes.set(what, changeOf(done, what));
    }
  }
  return { scans, batches, changes: [...changes.values()] };
}

const order = ({ record }: LiveEvent, other: LiveEvent) =>
  record.length - other.record.length || (record < other.record ? -1 : 1);

export const sortByRecord = (events: readonly LiveEvent[]): LiveEvent[] => events.toSorted(order);

/** Batches about what workflows found are told as one decision about it is, and with all such decisions once. */
export function mergeWorkflowChanges(
  { batches, changes }: ClassifiedRecords,
  isOfWorkflows: (batch: string) => boolean,
): LiveEvent[] {
  const more = batches.filter(({ batch }) => isOfWorkflows(batch)).map(({ done }) => changeOf(done, 'issue'));
  return [...new Map(sortByRecord([...changes, ...more]).map((event) => [event.data['what'], event])).values()];
}

const PREFIX = '1:';

/** The id of an event: where its reader is, in a form that says nothing to a reader. */
export const eventIdOf = (record: string): string => btoa(PREFIX + record).replaceAll('=', '');

/** The record that the id of an event stands for; undefined for a text that is none. */
export function parseEventId(eventId: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{1,64}$/.test(eventId) || eventId.length % 4 === 1) return undefined;
  const text = atob(eventId);
  const record = text.slice(PREFIX.length);
  return text.startsWith(PREFIX) && isInt64(record) && /^\d+$/.test(record) ? record : undefined;
}

export const RETRY_FRAME = 'retry: 3000\n\n';
export const HEARTBEAT_FRAME = ':\n\n';

/** An event as it is sent. */
export function frameOf(deploymentId: string, { record, type, at, data }: LiveEvent): string {
  const content = { id: eventIdOf(record), type, at: new Date(at).toISOString(), deploymentId, data };
  return `id: ${content.id}\nevent: ${type}\ndata: ${JSON.stringify(content)}\n\n`;
}
