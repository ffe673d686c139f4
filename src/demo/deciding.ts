import type { MadeUpKey } from '#domain/demo/people.ts';
import { expireSome } from '#domain/findings/expiry.ts';
import type { Filter } from '#domain/findings/filter.ts';
import { exactly } from '#domain/findings/matching.ts';
import { type Decision, triage } from '#domain/findings/triage.ts';
import type { Context, Step } from './context.ts';
import type { Estate } from './estate.ts';
import { NOISY_RULE } from './population.ts';
import type { Random } from './random.ts';
import { NOTES } from './vocabulary.ts';

interface Session {
  ago: number;
  by: MadeUpKey;
  filter: Filter;
  limit: number;
  decision: Decision;
  /** In days before the demo's moment; negative ones are still to come. */
  untilAgo?: number;
}

const [INFO, LOW, MEDIUM, HIGH, CRITICAL] = [0, 1, 2, 3, 4];
const SESSION_EVERY_DAYS = 8;

const stepOf = ({ ago, by, filter, limit, decision, untilAgo }: Session): Step => ({
  ago,
  run: async (tx, context: Context) => {
    const asking = { caller: await context.person(tx, by), now: context.at(ago) };
    const until = untilAgo === undefined ? {} : { until: context.at(untilAgo) };
    await triage(tx, asking, { filter, limit, decision: { ...decision, ...until } });
  },
});

const open = { is: ['open'] } as const;

/** What people decide in their weekly hour. */
function weekly(random: Random, estates: readonly Estate[], ago: number): Session[] {
  const projects = exactly([random.pick(estates).name, random.pick(estates).name]);
  const [developer, lead] = [random.pick(['priya', 'jonas', 'aiko'] as const), random.pick(['mara', 'tomas'] as const)];
  const severe = { ...open, projects, severities: [HIGH, CRITICAL] };
  return [
    {
      ago,
      by: developer,
      filter: severe,
      limit: random.whole(4, 8),
      decision: { state: 'fixing', note: random.pick(NOTES.fixing) },
    },
    {
      ago: ago - 0.03,
      by: developer,
      filter: { ...open, projects, severities: [MEDIUM] },
      limit: random.whole(3, 7),
      decision: { state: 'reviewing', note: random.pick(NOTES.reviewing) },
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

/** One rule finds much that is nothing, and people say so again and again. */
const noisy = (random: Random): Session[] =>
  [150, 122, 96, 61, 33, 9].map((ago) => ({
    ago: ago + 0.4,
    by: 'mara',
    filter: { ...open, rules: exactly([NOISY_RULE]) },
    limit: 38,
    decision: { state: 'ignored', reason: 'false_positive', note: random.pick(NOTES.falsePositive) },
  }));

/** Answers all wishes that wait: yes leaves the finding ignored, no has it fixed. */
const answerStep = (ago: number, isGranted: boolean): Step => ({
  ago,
  run: async (tx, context) => {
    const waiting = await tx.rows`
      select finding_id from exception_request where deployment_id = ${context.deployment} and state = 'requested'`;
    const filter = { ids: waiting.map((row) => String(row['finding_id'])) };
    const decision: Decision = isGranted
      ? { state: 'ignored', reason: 'acceptable_risk', note: 'Agreed for this release.' }
      : { state: 'fixing', note: 'Not agreed: the page is public. Please fix it.' };
    await triage(tx, { caller: await context.person(tx, 'mara'), now: context.at(ago) }, { filter, decision });
  },
});

/** Developers ask for exceptions; older wishes were answered, the last ones wait. */
function requestSteps(random: Random, estates: readonly Estate[]): Step[] {
  const asked = [140, 111, 88, 64, 41, 22, 5.2, 3.1, 1.4, 0.6];
  return asked.flatMap((ago, index) => {
    const wish = stepOf({
      ago,
      by: random.pick(['priya', 'jonas', 'aiko'] as const),
      filter: { ...open, projects: exactly([estates[index % estates.length]?.name ?? '']), severities: [MEDIUM, HIGH] },
      limit: random.whole(1, 3),
      decision: { state: 'ignored', reason: 'acceptable_risk', note: random.pick(NOTES.request) },
    });
    return ago < 10 ? [wish] : [wish, answerStep(ago - 1.2, index % 3 !== 1)];
  });
}

/** Decisions that end by themselves: one has, one will within days, one later. */
const limited: readonly Session[] = [
  { ago: 60.3, by: 'tomas', untilAgo: 35, limit: 4 },
  { ago: 20.3, by: 'mara', untilAgo: -9, limit: 3 },
  { ago: 12.3, by: 'tomas', untilAgo: -45, limit: 3 },
].map((one) => ({
  ...one,
  by: one.by as MadeUpKey,
  filter: { ...open, severities: [MEDIUM, HIGH] },
  decision: { state: 'ignored', reason: 'acceptable_risk', note: 'Until the migration is through.' },
}));

const EXPIRED_AGO = 34.9;
const expiry: Step = {
  ago: EXPIRED_AGO,
  run: (tx, context) => expireSome(tx, context.deployment, context.at(EXPIRED_AGO)),
};

/** A machine's guess that nobody has confirmed yet, and a decision that somebody took back. */
const doubtful: readonly Session[] = [
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

/** All that people decide about findings of primary branches, in the order in which it happens. */
export function decisionSteps(random: Random, estates: readonly Estate[]): Step[] {
  const sessions = [...noisy(random), ...limited, ...doubtful];
  for (let ago = 172; ago > 2; ago -= SESSION_EVERY_DAYS) sessions.push(...weekly(random, estates, ago));
  return [...sessions.map(stepOf), ...requestSteps(random, estates), expiry];
}
