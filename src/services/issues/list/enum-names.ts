import { TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import { mapWords } from '#kernel/db/query/json-sql.ts';
import { type Sql, sql } from '#kernel/db/query/sql.ts';

const v2Names = (table: Record<string, { v2: string }>) =>
  Object.fromEntries(Object.entries(table).map(([name, { v2 }]) => [name, v2]));

/** SQL that maps stored values to the enum names of the API. */
export const triageStateName = (state: Sql): Sql => mapWords(state, v2Names(TRIAGE_STATES));
export const triageReasonName = (reason: Sql): Sql => mapWords(reason, v2Names(TRIAGE_REASONS));

/** The aggregate state; ignored findings are split into those ignored by people and those muted in code. */
export const aggregateStateName = (status: Sql, isMuted: Sql): Sql => sql`
  'AGGREGATE_ISSUE_STATE_' || case ${status} when 'ignored' then case when ${isMuted} then 'IGNORED_CODE'
    else 'IGNORED_APP' end when 'provisionally_ignored' then 'PROVISIONALLY_IGNORED_APP' else upper(${status}) end`;

/** Where an exception was requested: in the product, in a comment or by the API. */
export const exceptionSourceName = (source: Sql): Sql => sql`'FINDING_EXCEPTION_REQUEST_SOURCE_' || case ${source}
  when 'platform' then 'SERVICE_APPSEC_PLATFORM' when 'comment' then 'SCM_COMMENT' else 'API' end`;
