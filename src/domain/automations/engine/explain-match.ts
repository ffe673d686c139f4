import { z } from 'zod';
import { sql, unestimated } from '#kernel/db/query/sql.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type ConditionTruth, explainConditions, filtersHold, stateIsMeant } from '../conditions/evaluate-filters.ts';
import { ALL_FACTS, FindingFacts, factColumns } from '../conditions/finding-facts.ts';
import { missingReference, resolveReferences } from '../conditions/references.ts';
import type { AutomationFilters, AutomationTriggerSource } from '../shape.ts';

const ExplainedFacts = FindingFacts.extend({ is_archived: z.boolean() });
const Memory = z.object({ at: z.string(), run_id: z.string() });

/** Why an automation fires for a finding, or does not. */
export interface MatchExplanation {
  conditions: ConditionTruth[];
  isMatch: boolean;
  firedAt: string | undefined;
  run: string | undefined;
  /** One sentence for people. */
  verdict: string;
}

export interface MatchQuestion {
  deployment: string;
  finding: string;
  filters: AutomationFilters;
  trigger: AutomationTriggerSource;
  /** The stored automation, whose memory counts. */
  automation?: { id: string; mode: string } | undefined;
}

async function firedBefore(tx: Tx, { deployment, automation }: MatchQuestion, facts: FindingFacts) {
  if (!automation) return undefined;
  return tx.one(Memory)`
    select at, run_id from automation_match
    where deployment_id = ${unestimated(deployment)} and automation_id = ${automation.id} and finding_id = ${facts.id}
      and episode = ${facts.episode}`;
}

interface Verdict {
  missing: string | undefined;
  holds: boolean;
  isMeant: boolean;
  isArchived: boolean;
  mode: string | undefined;
  firedAt: string | undefined;
}

function verdictOf({ missing, holds, isMeant, isArchived, mode, firedAt }: Verdict): string {
  if (firedAt !== undefined) return 'It has fired for this finding, and fires again only after the finding came back.';
  if (missing !== undefined) return `A condition names something that does not exist any more: ${missing}.`;
  if (!holds) return 'Its conditions do not hold.';
  if (!isMeant) return 'Its conditions hold, but the finding is not open.';
  if (isArchived) return 'Its conditions hold, but the project is archived.';
  if (mode === 'paused') return 'Its conditions hold, but the automation is paused.';
  return 'Its conditions hold. It fires when they become true; run it on existing findings to include this one now.';
}

/** Explains an automation for a finding with the values that it has now; undefined if the finding does not exist. */
export async function explainMatch(tx: Tx, question: MatchQuestion): Promise<MatchExplanation | undefined> {
  const { deployment, finding, filters, trigger, automation } = question;
  const facts = await tx.one(ExplainedFacts)`
    select ${factColumns(ALL_FACTS, true)}, project.archived_at is not null as is_archived
    from finding join project on project.deployment_id = finding.deployment_id and project.id = finding.project_id
    where finding.deployment_id = ${unestimated(deployment)} and ${sql`finding.id = ${finding}`}`;
  if (!facts) return undefined;
  const references = await resolveReferences(tx, deployment, [filters]);
  const missing = missingReference(filters, references);
  const holds = missing === undefined && filtersHold(filters, facts, references);
  const isMeant = stateIsMeant(filters, trigger, facts);
  const fired = await firedBefore(tx, question, facts);
  return {
    conditions: explainConditions(filters, facts, references),
    isMatch: holds && isMeant && !facts.is_archived,
    firedAt: fired?.at,
    run: fired?.run_id,
    verdict: verdictOf({
      ...{ missing, holds, isMeant, isArchived: facts.is_archived },
      mode: automation?.mode,
      firedAt: fired?.at,
    }),
  };
}
