import { CONFIDENCE_LABELS, REACHABILITY_LABELS, VALIDITY_LABELS } from '#web/foundation/format/labels.ts';
import { type FindingState, findingStateOf } from '#web/ui/badges/finding-state.ts';
import type { Assignee } from './decision.ts';

/** What the list shows of a finding or a workflow issue. */
export interface FindingRow {
  id: string;
  severity: string;
  title: string;
  rule: string;
  type: string;
  path: string;
  line: number;
  project: string;
  /** When it was first seen. */
  firstSeenAt: string;
  /** What the list is sorted by: since when it is open, or was last opened again. */
  at: string;
  state: FindingState;
  /** Reachability of a dependency, validity of a secret, else the confidence. */
  signal: string;
  assignee?: Assignee | undefined;
  /** Whether it blocks merges. */
  isBlocking: boolean;
}

interface IssueFields {
  id: string;
  exactSeverity: string;
  ruleDisplayName: string;
  message: string;
  ruleId: string;
  issueType: string;
  filePath: string;
  line: number;
  repository: { name: string };
  createdAt: string;
  relevantSince: string;
  aggregateState: string;
  triageState: string;
  confidence: string;
  isBlocking: boolean;
  assignee?: Assignee | undefined;
  scaAttributes?: { reachability: string; foundDependency: { package: string; version: string } } | undefined;
  secretsAttributes?: { validationState: string } | undefined;
}

function signalOf({ scaAttributes, secretsAttributes, confidence }: IssueFields): string {
  if (scaAttributes) return REACHABILITY_LABELS[scaAttributes.reachability] ?? '';
  if (secretsAttributes) return VALIDITY_LABELS[secretsAttributes.validationState] ?? '';
  return CONFIDENCE_LABELS[confidence] ?? '';
}

/** Puts the package before the title, because the advisory's first words often do not name it. */
function titleOf({ scaAttributes, ruleDisplayName, message, ruleId }: IssueFields): string {
  const { package: name, version } = scaAttributes?.foundDependency ?? { package: '', version: '' };
  const title = [ruleDisplayName, message, ruleId].find((text) => text.trim() !== '') ?? '';
  if (name === '') return title;
  const rest = title.startsWith(`${name}: `) ? title.slice(name.length + 2) : title;
  return `${name}${version === '' ? '' : `@${version}`}: ${rest}`;
}

export const findingRow = (issue: IssueFields): FindingRow => ({
  id: issue.id,
  severity: issue.exactSeverity,
  title: titleOf(issue),
  rule: issue.ruleId,
  type: issue.issueType,
  path: issue.filePath,
  line: issue.line,
  project: issue.repository.name,
  firstSeenAt: issue.createdAt,
  at: issue.relevantSince,
  state: findingStateOf(issue),
  signal: signalOf(issue),
  assignee: issue.assignee,
  isBlocking: issue.isBlocking,
});

/** `src/a.ts:12`, or the path alone if the line is unknown. */
export const locationText = ({ path, line }: Pick<FindingRow, 'path' | 'line'>): string =>
  line > 0 ? `${path}:${line}` : path;

/** The file name without its folders, for narrow screens. */
export const fileText = ({ path, line }: Pick<FindingRow, 'path' | 'line'>): string =>
  locationText({ path: path.split('/').at(-1) || path, line });

const HOUR_MS = 3_600_000;
const UNITS: [letter: string, hours: number][] = [
  ['y', 365 * 24],
  ['mo', 30 * 24],
  ['d', 24],
  ['h', 1],
];

/** "34d": the age in its largest unit. */
export function ageText(at: string, now: Date): string {
  const hours = (now.getTime() - Date.parse(at)) / HOUR_MS;
  const [letter, unitHours] = UNITS.find(([, unitHours]) => hours >= unitHours) ?? ['', 0];
  return letter === '' ? 'new' : `${Math.floor(hours / unitHours)}${letter}`;
}
