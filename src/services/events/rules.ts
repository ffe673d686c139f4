import { isInt64 } from '#kernel/contract/field-kinds.ts';

/** The members of an audit record from which events are derived. */
export interface AuditedChange {
  id: string;
  at: string;
  operation: string;
  object: string;
}

export interface LiveEvent {
  /** The id of the audit record. */
  record: string;
  type: 'scan.completed' | 'findings.triaged' | 'deployment.changed';
  at: string;
  data: Record<string, unknown>;
}

const SCAN_END_OPERATIONS: ReadonlySet<string> = new Set([
  'ImportsService.importReport',
  'ScannerService.completeScan',
]);
const UNDO_OPERATION = 'IssuesService.undoBatch';

export interface ClassifiedRecords {
  scans: { done: AuditedChange; scan: string }[];
  batches: { done: AuditedChange; batch: string; isUndone: boolean }[];
  changes: LiveEvent[];
}

/** The kind in `kind/id`; an object without a kind belongs to the deployment. */
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

/** Separates ended scans and triage batches from other changes; of each other kind only the last change is kept. */
export function classifyRecords(records: readonly AuditedChange[]): ClassifiedRecords {
  const scans: ClassifiedRecords['scans'] = [];
  const batches: ClassifiedRecords['batches'] = [];
  const changes = new Map<string, LiveEvent>();
  for (const done of records) {
    const { operation, object } = done;
    const what = objectKindOf(object);
    const objectId = object.slice(what.length + 1);
    const hasId = isInt64(objectId) && objectId !== '0';
    if (what === 'scan' && hasId && SCAN_END_OPERATIONS.has(operation)) scans.push({ done, scan: objectId });
    else if (what === 'batch' && hasId) batches.push({ done, batch: objectId, isUndone: operation === UNDO_OPERATION });
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

/** Adds a change of kind `issue` for batches that concern workflow issues; each kind is kept once. */
export function mergeWorkflowChanges(
  { batches, changes }: ClassifiedRecords,
  isWorkflowBatch: (batch: string) => boolean,
): LiveEvent[] {
  const more = batches.filter(({ batch }) => isWorkflowBatch(batch)).map(({ done }) => changeOf(done, 'issue'));
  return [...new Map(sortByRecord([...changes, ...more]).map((event) => [event.data['what'], event])).values()];
}

const PREFIX = '1:';

/** The id of an event: an opaque form of the record id, from which a client resumes. */
export const eventIdOf = (record: string): string => btoa(PREFIX + record).replaceAll('=', '');

/** The record id in an event id; undefined if it is not valid. */
export function parseEventId(eventId: string): string | undefined {
  if (!/^[A-Za-z0-9+/]{1,64}$/.test(eventId) || eventId.length % 4 === 1) return undefined;
  const text = atob(eventId);
  const record = text.slice(PREFIX.length);
  return text.startsWith(PREFIX) && isInt64(record) && /^\d+$/.test(record) ? record : undefined;
}

export const RETRY_FRAME = 'retry: 3000\n\n';
export const HEARTBEAT_FRAME = ':\n\n';

/** The event in server-sent event format. */
export function frameOf(deploymentId: string, { record, type, at, data }: LiveEvent): string {
  const content = { id: eventIdOf(record), type, at: new Date(at).toISOString(), deploymentId, data };
  return `id: ${content.id}\nevent: ${type}\ndata: ${JSON.stringify(content)}\n\n`;
}
