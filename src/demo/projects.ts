import type { DemoSize } from '#domain/demo/store.ts';
import type { DemoEcosystem, DemoLanguage } from './material.ts';
import { SeededRandom } from './random.ts';
import { NOUNS, VERBS } from './vocabulary.ts';

/** A made-up project: its size and history. Days count backwards from the creation of the demo. */
export interface DemoProject {
  index: number;
  name: string;
  url: string;
  language: DemoLanguage;
  tags: readonly string[];
  team: string;
  /** How many findings its primary branch ever had. */
  findings: number;
  /** When its primary branch was scanned, oldest first. */
  scans: readonly number[];
  pullRequests: number;
  /** Many findings at once: an old code base was merged, or new rules were enabled. */
  spike?: { ago: number; share: number };
  /** A clean-up sprint. */
  sprint?: { from: number; to: number; share: number };
  /** The share of findings that is fixed eventually. */
  fixRate: number;
}

export const ECOSYSTEMS: Readonly<
  Record<DemoLanguage, { ecosystem: DemoEcosystem; lockfile: string; extension: string }>
> = {
  javascript: { ecosystem: 'npm', lockfile: 'package-lock.json', extension: 'ts' },
  python: { ecosystem: 'pypi', lockfile: 'requirements.txt', extension: 'py' },
  go: { ecosystem: 'gomod', lockfile: 'go.mod', extension: 'go' },
  java: { ecosystem: 'maven', lockfile: 'pom.xml', extension: 'java' },
};

export const TEAMS = ['Platform', 'Payments', 'Storefront', 'Data'] as const;
export const SUB_TEAM = { name: 'Checkout', parent: 'Payments' } as const;

type ProjectRow = [name: string, language: DemoLanguage, team: string, findings: number, tags: string];

const ROWS: readonly ProjectRow[] = [
  ['acme/web', 'javascript', 'Storefront', 640, 'tier:1 team:storefront public'],
  ['acme/payments-api', 'java', 'Payments', 420, 'tier:1 team:payments pci'],
  ['acme/checkout', 'javascript', 'Checkout', 300, 'tier:1 team:payments pci public'],
  ['acme/identity', 'go', 'Platform', 230, 'tier:1 team:platform'],
  ['acme/mobile-gateway', 'go', 'Platform', 220, 'tier:1 team:platform public'],
  ['acme/data-pipeline', 'python', 'Data', 360, 'tier:2 team:data'],
  ['acme/ml-scoring', 'python', 'Data', 210, 'tier:2 team:data'],
  ['acme/admin-portal', 'javascript', 'Storefront', 330, 'tier:2 team:storefront'],
  ['acme/legacy-portal', 'java', 'Payments', 430, 'tier:3 team:payments sunset'],
  ['acme/notifications', 'javascript', 'Platform', 190, 'tier:2 team:platform'],
  ['acme/infra-tools', 'python', 'Platform', 160, 'tier:3 team:platform'],
  ['acme/partner-sdk', 'go', 'Storefront', 110, 'tier:3 team:storefront public'],
];

interface DemoVolume {
  projects: number;
  findings: number;
  scans: number;
  pullRequests: number;
}

const VOLUMES: Readonly<Record<Exclude<DemoSize, 'small'>, DemoVolume>> = {
  team: { projects: 40, findings: 30_000, scans: 7, pullRequests: 2 },
  // A few are generated twice and count once.
  enterprise: { projects: 250, findings: 1_001_000, scans: 2, pullRequests: 0 },
};

const FIRST_AGO = 179.4;
/** Closer together where many findings change. */
const SCANS_AGO = [148, 116, 88, 72, 48, 33, 18];
/** Projects are scanned on different days, so that charts over all of them have a point on most days. */
const OFFSET_DAYS = 1.13;
/** These have not been scanned for weeks. */
const STALE: ReadonlySet<string> = new Set(['acme/infra-tools', 'acme/partner-sdk']);

function smallScans(index: number, name: string): number[] {
  const last = STALE.has(name) ? 33 + index : 0.2 + index * 0.07;
  const between = SCANS_AGO.map((ago) => ago - index * OFFSET_DAYS).filter((ago) => ago > last + 2);
  return [FIRST_AGO - index * 0.02, ...between, last];
}

const HISTORIES: Readonly<Record<string, Pick<DemoProject, 'spike' | 'sprint' | 'fixRate'>>> = {
  'acme/web': { spike: { ago: 74, share: 0.3 }, sprint: { from: 46, to: 30, share: 0.4 }, fixRate: 0.3 },
  'acme/legacy-portal': { spike: { ago: 72, share: 0.35 }, fixRate: 0.08 },
  'acme/payments-api': { sprint: { from: 48, to: 32, share: 0.55 }, fixRate: 0.45 },
  'acme/checkout': { sprint: { from: 44, to: 30, share: 0.5 }, fixRate: 0.4 },
  'acme/admin-portal': { spike: { ago: 71, share: 0.25 }, sprint: { from: 42, to: 28, share: 0.35 }, fixRate: 0.25 },
};

function smallProjects(): DemoProject[] {
  return ROWS.map(([name, language, team, findings, tags], index) => ({
    index,
    name,
    url: `https://github.com/${name}`,
    language,
    tags: tags.split(' '),
    team,
    findings,
    scans: smallScans(index, name),
    pullRequests: STALE.has(name) ? 2 : 4,
    fixRate: 0.35,
    ...HISTORIES[name],
  }));
}

const LANGUAGES: readonly DemoLanguage[] = ['javascript', 'java', 'python', 'go'];

function largeProjects({ projects, findings, scans, pullRequests }: DemoVolume): DemoProject[] {
  const each = Math.ceil(findings / projects);
  return Array.from({ length: projects }, (_, index) => {
    const random = new SeededRandom(`estate ${index}`);
    const name = `acme/${random.pick(NOUNS)}-${random.pick(VERBS)}-${String(index + 1).padStart(3, '0')}`;
    const step = (FIRST_AGO - 1) / Math.max(1, scans - 1);
    return {
      index,
      name,
      url: `https://github.com/${name}`,
      language: LANGUAGES[index % LANGUAGES.length] ?? 'javascript',
      tags: [`tier:${1 + (index % 3)}`],
      team: TEAMS[index % TEAMS.length] ?? TEAMS[0],
      findings: each,
      scans: Array.from({ length: scans }, (__, n) => FIRST_AGO - n * step - (index % 100) * 0.009),
      pullRequests,
      fixRate: random.between(0.15, 0.5),
      ...(index % 5 === 0 && { spike: { ago: 75, share: 0.25 } }),
      ...(index % 3 === 0 && { sprint: { from: 48, to: 30, share: 0.4 } }),
    };
  });
}

/** The projects of a demo of this size. */
export const demoProjectsOf = (size: DemoSize): DemoProject[] =>
  size === 'small' ? smallProjects() : largeProjects(VOLUMES[size]);
