/** The filter of the audit log as it is in the URL; days are written `2026-03-31`. */
export interface AuditFilter {
  actor?: string | undefined;
  operation?: string | undefined;
  outcome?: string | undefined;
  objectKind?: string | undefined;
  objectId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
}

export const AUDIT_FILTER_PARAMS = [
  'actor',
  'operation',
  'outcome',
  'objectKind',
  'objectId',
  'since',
  'until',
] as const;

/** The start of a day in the local time zone; anything that is not a day stays unchanged. */
function startOf(day: string, daysLater: number): string {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day) ?? [];
  if (year === undefined) return day;
  return new Date(Number(year), Number(month) - 1, Number(date) + daysLater).toISOString();
}

/** The API query: `until` is the last day, inclusive, in the form, but an exclusive time in the API. */
export function auditQueryParams(filter: AuditFilter): AuditFilter {
  const { since, until } = filter;
  const query = {
    ...filter,
    since: since === undefined ? undefined : startOf(since, 0),
    until: until === undefined ? undefined : startOf(until, 1),
  };
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== ''));
}

/** Serializes records as newline-delimited JSON. */
export const toNdjson = (records: readonly unknown[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');

/** A readable operation name: `TeamsService.updateDeploymentTeam` becomes "update deployment team". */
export const operationLabel = (operation: string): string =>
  (operation.split('.').at(-1) ?? operation).replaceAll(/([A-Z]+)/g, (capitals) => ` ${capitals.toLowerCase()}`).trim();

export const isSuccessOutcome = (outcome: string): boolean => outcome.startsWith('2');
