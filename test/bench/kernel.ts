import { benchAudit } from './audit.ts';
import type { Bench, Figure } from './figure.ts';
import { benchJobs } from './jobs.ts';

const shown = (numbers: Record<string, number>, labels: Record<string, string>): Figure[] =>
  Object.entries(numbers).map(([name, value]) => ({
    name: labels[name] ?? name,
    value,
    unit: name.endsWith('Seconds') ? 's' : '/s',
  }));

/** The cost of the audit chain for writers, in the actual design and in the one where each writer seals. */
export const auditFigures: Bench = async () => {
  const { lockedPerSecond = 0, unsealedPerSecond = 0, ...others } = await benchAudit();
  return [
    {
      name: 'writes with their audit record, sealed later',
      value: unsealedPerSecond,
      unit: '/s',
      floor: { name: 'sealed by the writer', value: lockedPerSecond },
      ratio: unsealedPerSecond / lockedPerSecond,
    },
    ...shown(others, { sealedPerSecond: 'records sealed', verifiedPerSecond: 'records verified' }),
  ];
};

/** How fast jobs are enqueued and run. */
export const jobFigures: Bench = async () =>
  shown(await benchJobs(), {
    transactedPerSecond: 'jobs run with an effect',
    returnedPerSecond: 'jobs run without an effect',
    urgentOrdersPerSecond: 'urgent jobs enqueued, one per transaction',
    patientOrdersPerSecond: 'other jobs enqueued, one per transaction',
    fewBesideManySeconds: '10 jobs beside 100,000 of another deployment',
  });
