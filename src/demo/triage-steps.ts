import { z } from 'zod';
import { DEMO_ACCOUNTS, type DemoAccountKey, demoEmail } from '#domain/demo/demo-accounts.ts';
import type { FindingFilter } from '#domain/findings/filter/finding-filter.ts';
import { exactMatches } from '#domain/findings/filter/text-match.ts';
import { expireBatch } from '#domain/findings/triage/expire-decisions.ts';
import { type TriageDecision, triageFindings } from '#domain/findings/triage/triage.ts';
import type { DemoContext, DemoStep } from './context.ts';
import { NOISY_RULE } from './generated-hits.ts';
import type { DemoProject } from './projects.ts';
import type { SeededRandom } from './random.ts';
import { NOTES } from './vocabulary.ts';

interface Session {
  ago: number;
  by: DemoAccountKey;
  filter: FindingFilter;
  limit: number;
  decision: TriageDecision;
  /** Whoever decides takes the findings. */
  isTaken?: boolean;
  /** In days before the demo was created; negative numbers are in the future. */
  untilAgo?: number;
}

const PendingRequest = z.object({ finding_id: z.string() });

const [INFO, LOW, MEDIUM, HIGH, CRITICAL] = [0, 1, 2, 3, 4];
const SESSION_EVERY_DAYS = 8;

const stepOf = ({ ago, by, filter, limit, decision, isTaken = false, untilAgo }: Session): DemoStep => ({
  ago,
  run: async (tx, context: DemoContext) => {
    const actor = { caller: await context.person(tx, by), now: context.daysAgo(ago) };
    const until = untilAgo === undefined ? {} : { until: context.daysAgo(untilAgo) };
    const assignee = isTaken ? { assignee: actor.caller.userId } : {};
    await triageFindings(tx, actor, { filter, limit, decision: { ...decision, ...until, ...assignee } });
  },
});

const open = { is: ['open'] } as const;

/** The decisions of a weekly triage session. */
function weekly(random: SeededRandom, demoProjects: readonly DemoProject[], ago: number): Session[] {
  const projects = exactMatches([random.pick(demoProjects).name, random.pick(demoProjects).name]);
  const [developer, lead] = [random.pick(['priya', 'jonas', 'aiko'] as const), random.pick(['mara', 'tomas'] as const)];
  const severe = { ...open, projects, severities: [HIGH, CRITICAL] };
  return [
    {
      ago,
      by: developer,
      filter: severe,
      limit: random.whole(4, 8),
      decision: { state: 'fixing', note: random.pick(NOTES.fixing) },
      isTaken: true,
    },
    {
      ago: ago - 0.03,
      by: developer,
      filter: { ...open, projects, severities: [MEDIUM] },
      limit: random.whole(3, 7),
      decision: { state: 'reviewing', note: random.pick(NOTES.reviewing) },
      isTaken: true,
    },
    {
      ago: ago - 0.06,
      by: lead,
      filter: { ...open, projects, severities: [INFO, LOW, MEDIUM] },
      limit: random.whole(2, 6),
      decision: { state: 'ignored', reason: 'acceptable_risk', note: random.pick(NOTES.acceptableRisk) },
    },
    {
      ago: ago - 0.09,
      by: lead,
      filter: { is: ['reviewing'], projects },
      limit: 2,
      decision: random.happens(0.5)
        ? { state: 'ignored', reason: 'no_time', note: random.pick(NOTES.noTime) }
        : { state: 'fixing', note: random.pick(NOTES.fixing) },
    },
  ];
}

/** One rule has many false positives, and people mark them again and again. */
const noisy = (random: SeededRandom): Session[] =>
  [150, 122, 96, 61, 33, 9].map((ago) => ({
    ago: ago + 0.4,
    by: 'mara',
    filter: { ...open, rules: exactMatches([NOISY_RULE]) },
    limit: 38,
    decision: { state: 'ignored', reason: 'false_positive', note: random.pick(NOTES.falsePositive) },
  }));

/** Answers all pending exception requests: a granted finding stays ignored, a refused one has to be fixed. */
const answerStep = (ago: number, isGranted: boolean): DemoStep => ({
  ago,
  run: async (tx, context) => {
    const pending = await tx.all(PendingRequest)`
      select finding_id from exception_request where deployment_id = ${context.deployment} and state = 'requested'`;
    const filter = { ids: pending.map((request) => request.finding_id) };
    const decision: TriageDecision = isGranted
      ? { state: 'ignored', reason: 'acceptable_risk', note: 'Agreed for this release.' }
      : { state: 'fixing', note: 'Not agreed: the page is public. Please fix it.' };
    await triageFindings(
      tx,
      { caller: await context.person(tx, 'mara'), now: context.daysAgo(ago) },
      { filter, decision },
    );
  },
});

/** Developers request exceptions; the older requests are answered, the last ones are pending. */
function requestSteps(random: SeededRandom, projects: readonly DemoProject[]): DemoStep[] {
  const requestedAgo = [140, 111, 88, 64, 41, 22, 5.2, 3.1, 1.4, 0.6];
  return requestedAgo.flatMap((ago, index) => {
    const request = stepOf({
      ago,
      by: random.pick(['priya', 'jonas', 'aiko'] as const),
      filter: {
        ...open,
        projects: exactMatches([projects[index % projects.length]?.name ?? '']),
        severities: [MEDIUM, HIGH],
      },
      limit: random.whole(1, 3),
      decision: { state: 'ignored', reason: 'acceptable_risk', note: random.pick(NOTES.request) },
    });
    return ago < 10 ? [request] : [request, answerStep(ago - 1.2, index % 3 !== 1)];
  });
}

/** Decisions with an expiry: one has expired, one will within days, one later. */
const limited: readonly Session[] = [
  { ago: 60.3, by: 'tomas', untilAgo: 35, limit: 4 },
  { ago: 20.3, by: 'mara', untilAgo: -9, limit: 3 },
  { ago: 12.3, by: 'tomas', untilAgo: -45, limit: 3 },
].map((session) => ({
  ...session,
  by: session.by as DemoAccountKey,
  filter: { ...open, severities: [MEDIUM, HIGH] },
  decision: { state: 'ignored', reason: 'acceptable_risk', note: 'Until the migration is through.' },
}));

const EXPIRED_AGO = 34.9;
const expiry: DemoStep = {
  ago: EXPIRED_AGO,
  run: (tx, context) => expireBatch(tx, context.deployment, context.daysAgo(EXPIRED_AGO)),
};

/** Provisional decisions that nobody has confirmed yet, and a decision that was reverted. */
const unconfirmed: readonly Session[] = [
  {
    ago: 14.6,
    by: 'mara',
    filter: { ...open, severities: [LOW] },
    limit: 12,
    decision: { state: 'provisionally_ignored' },
  },
  {
    ago: 7.7,
    by: 'tomas',
    filter: { is: ['ignored'], reasons: ['no_time'] },
    limit: 3,
    decision: { state: 'reopened', note: 'There is time now.' },
  },
];

const Viewer = z.object({ id: z.string() });

/** Whoever looks at the demo finds something in the inbox too. */
const assignToViewer: DemoStep = {
  ago: 1,
  run: async (tx, context) => {
    const actor = { caller: await context.person(tx, 'mara'), now: context.daysAgo(1) };
    const people = DEMO_ACCOUNTS.map(({ key }) => demoEmail(key, context.demo.slug));
    const viewer = await tx.one(Viewer)`
      select membership.account_id as id from membership join account on account.id = membership.account_id
      where membership.deployment_id = ${context.deployment} and account.email <> all(${people}::text[])
      order by membership.account_id limit 1`;
    if (viewer)
      await triageFindings(tx, actor, {
        filter: { ...open, severities: [CRITICAL] },
        limit: 6,
        decision: { assignee: viewer.id },
      });
  },
};

/** All triage decisions about findings of primary branches. */
export function triageSteps(random: SeededRandom, projects: readonly DemoProject[]): DemoStep[] {
  const sessions = [...noisy(random), ...limited, ...unconfirmed];
  for (let ago = 172; ago > 2; ago -= SESSION_EVERY_DAYS) sessions.push(...weekly(random, projects, ago));
  return [...sessions.map(stepOf), ...requestSteps(random, projects), expiry, assignToViewer];
}
