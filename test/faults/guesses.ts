import { Api } from './api.ts';
import { type Campaign, type CampaignOptions, type FaultFigure, randomFrom } from './campaign.ts';
import { Installation } from './installation.ts';

const EMAIL = 'admin@example.com';
const AT_ONCE = 500;
const LIMIT = 10;
/** The bound of dudect: above it two distributions of times are told apart. */
const MAX_T = 4.5;

/** Guesses a password 500 times at once, then compares the times of known and unknown addresses. */
export const guesses: Campaign = {
  defaultCycles: 5000,
  async run({ cycles, seed, log }: CampaignOptions): Promise<FaultFigure[]> {
    const installation = await Installation.make({ PARAPET_TRUSTED_PROXIES: '127.0.0.1' });
    try {
      let program = await installation.start({ settings: { PARAPET_LIMIT_LOGIN: String(LIMIT) } });
      const one = await guessAtOnce(program.baseUrl, () => '192.0.2.1');
      const many = await guessAtOnce(program.baseUrl, (n) => `198.51.${n >> 8}.${n & 255}`);
      log(`${AT_ONCE} guesses of one address: ${one} checked; of ${AT_ONCE} addresses: ${many} more`);
      await program.end('SIGTERM');
      program = await installation.start({ settings: { PARAPET_LIMIT_LOGIN: '100000' } });
      const t = await compareTimes(program.baseUrl, { cycles, seed, log });
      await program.end('SIGTERM');
      return [
        {
          id: 'TOK-14 guesses-at-once',
          expected: `at most ${LIMIT} of ${2 * AT_ONCE} guesses checked`,
          actual: `${one + many} checked`,
          isMet: one + many <= LIMIT,
        },
        {
          id: 'TOK-14 login-timing',
          expected: `|t| below ${MAX_T} between known and unknown addresses in ${cycles} pairs`,
          actual: `t = ${t.toFixed(2)}`,
          isMet: Math.abs(t) < MAX_T,
        },
      ];
    } finally {
      await installation.remove();
    }
  },
};

const guess = (api: Api, email: string, address: string) =>
  api.ask({
    method: 'POST',
    path: '/api/auth/sessions',
    token: '',
    headers: { 'x-forwarded-for': address },
    body: { email, password: 'not the password' },
  });

/** The number of guesses that were checked; the others were refused by a limit. */
async function guessAtOnce(baseUrl: string, addressOf: (n: number) => string): Promise<number> {
  const answers = await Promise.all(
    Array.from({ length: AT_ONCE }, async (_, n) => {
      const api = new Api(baseUrl);
      const { status } = await guess(api, EMAIL, addressOf(n));
      api.close();
      return status;
    }),
  );
  const strange = answers.filter((status) => status !== 401 && status !== 429);
  if (strange.length > 0) throw new Error(`Guesses were answered with ${[...new Set(strange)].join(', ')}.`);
  return answers.filter((status) => status === 401).length;
}

/** Welch's t of the times of guesses at a known and at unknown addresses, in random order. */
async function compareTimes(baseUrl: string, { cycles, seed, log }: CampaignOptions): Promise<number> {
  const api = new Api(baseUrl);
  const random = randomFrom(seed);
  const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] };
  const measure = async (kind: 'known' | 'unknown', n: number) => {
    const email = kind === 'known' ? EMAIL : `other${n}@example.com`;
    const start = performance.now();
    await guess(api, email, `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`);
    times[kind].push(performance.now() - start);
  };
  for (let n = 0; n < cycles; n++) {
    const order = random() < 0.5 ? (['known', 'unknown'] as const) : (['unknown', 'known'] as const);
    for (const kind of order) await measure(kind, n);
    if (n % 500 === 499) log(`${n + 1} pairs`);
  }
  api.close();
  return welch(withoutOutliers(times.known), withoutOutliers(times.unknown));
}

/** Without the slowest tenth, which tells about the machine and not about the server. */
const withoutOutliers = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b).slice(0, Math.ceil(times.length * 0.9));

function welch(a: readonly number[], b: readonly number[]): number {
  const meanOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
  const errorOf = (all: readonly number[], mean: number) =>
    all.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (all.length - 1) / all.length;
  const [meanA, meanB] = [meanOf(a), meanOf(b)];
  return (meanA - meanB) / Math.sqrt(errorOf(a, meanA) + errorOf(b, meanB));
}
