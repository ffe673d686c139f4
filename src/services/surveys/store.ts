import { z } from 'zod';
import { count, type Id, timestamp } from '#kernel/contract/proto-fields.ts';
import { sql } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { SurveyResponse } from './contract.ts';

const Row = z.object({
  id: z.string(),
  account_id: z.string(),
  survey_name: z.string(),
  data: z.record(z.string(), z.unknown()),
  submitted_at: timestamp(),
});

const columns = sql`id, account_id, survey_name, data, submitted_at`;

const responseOf = (row: z.output<typeof Row>): SurveyResponse => ({
  surveyName: row.survey_name,
  data: row.data,
  id: row.id as Id<'SurveyResponse'>,
  userId: row.account_id as Id<'User'>,
  submittedAt: row.submitted_at,
});

export async function find(tx: Tx, account: string, surveyName: string): Promise<SurveyResponse | undefined> {
  const row = await tx.one(Row)`
    select ${columns} from survey_response where account_id = ${account} and survey_name = ${surveyName}`;
  return row && responseOf(row);
}

const CountRow = z.object({ count: count() });

/** Counts the caller's responses to other surveys. Locks the account, so that concurrent responses are serialized. */
export async function countOthers(tx: Tx, account: string, surveyName: string): Promise<number> {
  await tx.run`select from account where id = ${account} for no key update`;
  const row = await tx.one(CountRow)`
    select count(*) as count from survey_response where account_id = ${account} and survey_name <> ${surveyName}`;
  return row?.count ?? 0;
}

export async function upsert(
  tx: Tx,
  account: string,
  { surveyName, data }: { surveyName: string; data: Record<string, unknown> },
): Promise<SurveyResponse> {
  const row = await tx.one(Row)`
    insert into survey_response (account_id, survey_name, data)
    values (${account}, ${surveyName}, ${JSON.stringify(data)}::jsonb)
    on conflict (account_id, survey_name) do update set data = excluded.data, submitted_at = now()
    returning ${columns}`;
  if (!row) throw new Error('A survey response was not inserted.');
  return responseOf(row);
}
