import { syncInstance } from '#domain/ticketing/sync-tickets.ts';
import type { TrackerKind } from '#domain/ticketing/trackers/tracker-shape.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { makeReportedFinding, ProjectScans } from '../factories/project-scans.ts';
import type { Scenario } from '../world/scenario.ts';
import { FakeGithub, FakeGitlab } from './fake-forges.ts';
import { FakeJira } from './fake-jira.ts';
import { FakeLinear, LINEAR_TEAM } from './fake-linear.ts';
import type { FakeTracker } from './fake-tracker.ts';

export interface TrackerCase {
  kind: TrackerKind;
  start(): Promise<FakeTracker>;
  projectId: string;
  /** The path of the web address after the origin. */
  sitePath?: string;
  ticketPath: string;
}

/** All trackers, each with its counterpart on loopback. */
export const TRACKERS: readonly TrackerCase[] = [
  { kind: 'jira', start: () => FakeJira.start(), projectId: 'SHOP', ticketPath: '/browse/SHOP-1' },
  { kind: 'jira_server', start: () => FakeJira.start(), projectId: 'SHOP', ticketPath: '/browse/SHOP-1' },
  { kind: 'github', start: () => FakeGithub.start(), projectId: 'acme/shop', ticketPath: '/acme/shop/issues/1' },
  { kind: 'gitlab', start: () => FakeGitlab.start(), projectId: 'acme/shop', ticketPath: '/acme/shop/-/issues/1' },
  {
    ...{ kind: 'linear', start: () => FakeLinear.start(), projectId: LINEAR_TEAM, sitePath: '/acme' },
    ticketPath: '/acme/issue/SHOP-1',
  },
];

/** The body that connects a tracker. */
export const settingsOf = ({ kind, projectId, sitePath = '' }: TrackerCase, tracker: FakeTracker) => ({
  name: `Tracker ${kind}`,
  instanceType: kind,
  siteUrl: `${tracker.siteUrl}${sitePath}`,
  account: 'parapet@example.com',
  projectId,
  issueTypeId: '10001',
  token: 'a-token-of-the-test',
});

/** A finding that stays in every scan, so that a scan without the others is not suspicious. */
const KEPT = makeReportedFinding({ rule: 'kept', path: 'kept.js', line: 1, code: 'kept()' });
const found = (rule: string, line: number) =>
  makeReportedFinding({ rule, path: 'src/app.js', line, code: `${rule}(${line})`, context: `a\n${rule}(${line})\nb` });

/** A project whose findings come and go. */
export class TicketedProject {
  readonly #scans: ProjectScans;

  private constructor(scans: ProjectScans) {
    this.#scans = scans;
  }

  static async start({ world, place }: Scenario): Promise<TicketedProject> {
    return new TicketedProject(await ProjectScans.start(world, place));
  }

  get id(): string {
    return this.#scans.project;
  }

  /** Scans a state of the project: pairs of rule and line. Returns the ids of the findings except for the kept one. */
  async scan(...places: [string, number][]): Promise<string[]> {
    await this.#scans.scan([KEPT, ...places.map(([rule, line]) => found(rule, line))]);
    const rows = await this.#scans.findings();
    return rows.filter(({ rule }) => rule !== 'kept').map(({ id }) => id);
  }
}

/** Compares the tickets of a tracker with their findings, as the job would. */
export const syncNow = ({ world, place }: Scenario, instance: string, at: Date): Promise<number> => {
  const write = <Result>(work: (tx: Tx) => Promise<Result>) => world.inDeployment(place, work);
  return syncInstance(write, world.assembly.services, { deployment: place.id, id: instance, at });
};
