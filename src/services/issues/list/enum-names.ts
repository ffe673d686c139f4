import { TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import { mapWords } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

const v2Names = (table: Record<string, { v2: string }>) =>
  Object.fromEntries(Object.entries(table).map(([name, { v2 }]) => [name, v2]));

/** What the contract calls the words that findings are stored with. */
export const triageStateName = (state: Sql): Sql => mapWords(state, v2Names(TRIAGE_STATES));
export const triageReasonName = (reason: Sql): Sql => mapWords(reason, v2Names(TRIAGE_REASONS));

/** The name of a status, which says of what is ignored whether people or the code say so. */
export const aggregateStateName = (status: Sql, isMuted: Sql): Sql => sql`
  'AGGREGATE_ISSUE_STATE_' || case ${status} when 'ignored' then case when ${isMuted} then 'IGNORED_CODE'
    else 'IGNORED_APP' end when 'provisionally_ignored' then 'PROVISIONALLY_IGNORED_APP' else upper(${status}) end`;

/** Whence somebody asked for an exception. */
export const exceptionSourceName = (source: Sql): Sql => sql`'FINDING_EXCEPTION_REQUEST_SOURCE_' || case ${source}
  when 'platform' then 'SERVICE_APPSEC_PLATFORM' when 'comment' then 'SCM_COMMENT' else 'API' end`;
