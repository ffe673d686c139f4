import { RowId, returnedId } from '#kernel/db/query/row-schemas.ts';
import { join, type Sql, sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';

export interface DeploymentChange {
  displayName?: string | undefined;
  defaultUserRole?: string | undefined;
  hasDeepscan?: boolean | undefined;
  hasDependencyQuery?: boolean | undefined;
  hasTriageViaComment?: boolean | undefined;
}

const COLUMNS: [member: keyof DeploymentChange, assign: (value: unknown) => Sql][] = [
  ['displayName', (value) => sql`display_name = ${value}`],
  ['defaultUserRole', (value) => sql`default_user_role = ${value}`],
  ['hasDeepscan', (value) => sql`has_deepscan = ${value}`],
  ['hasDependencyQuery', (value) => sql`has_dependency_query = ${value}`],
  ['hasTriageViaComment', (value) => sql`has_triage_via_comment = ${value}`],
];

/** Updates the given members of a deployment. */
export async function update(tx: Tx, deployment: string, change: DeploymentChange): Promise<void> {
  const assignments = COLUMNS.flatMap(([member, assign]) =>
    change[member] === undefined ? [] : [assign(change[member])],
  );
  await tx.run`
    update deployment set ${join([sql`version = version + 1`, ...assignments], sql`, `)} where id = ${deployment}`;
}

export async function insertFeedback(
  tx: Tx,
  feedback: { deployment: string; account: string; featureAction: string; text: string },
): Promise<string> {
  const row = await tx.one(RowId)`
    insert into product_feedback (deployment_id, account_id, feature_action, feedback)
    values (${feedback.deployment}, ${feedback.account || null}, ${feedback.featureAction}, ${feedback.text})
    returning id`;
  return returnedId(row);
}
