import { TRIAGE_REASONS, TRIAGE_STATES } from '#domain/findings/shape.ts';
import { renamed } from '#kernel/db/json-text.ts';
import { type Sql, sql } from '#kernel/db/sql.ts';

const v2Names = (table: Record<string, { v2: string }>) =>
  Object.fromEntries(Object.entries(table).map(([name, { v2 }]) => [name, v2]));

/** What the contract calls the words that findings are stored with. */
export const stateName = (state: Sql): Sql => renamed(state, v2Names(TRIAGE_STATES));
export const reasonName = (reason: Sql): Sql => renamed(reason, v2Names(TRIAGE_REASONS));

/** The name of a status, which says of what is ignored whether people or the code say so. */
export const aggregate = (status: Sql, isMuted: Sql): Sql => sql`
  'AGGREGATE_ISSUE_STATE_' || case ${status} when 'ignored' then case when ${isMuted} then 'IGNORED_CODE'
    else 'IGNORED_APP' end when 'provisionally_ignored' then 'PROVISIONALLY_IGNORED_APP' else upper(${status}) end`;

/** Whence somebody asked for an exception. */
export const requestSource = (source: Sql): Sql => sql`'FINDING_EXCEPTION_REQUEST_SOURCE_' || case ${source}
  when 'platform' then 'SERVICE_APPSEC_PLATFORM' when 'comment' then 'SCM_COMMENT' else 'API' end`;
