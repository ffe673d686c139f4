import { type LooseObject, list, object, objects, text, texts } from '#domain/reports/json/loose-values.ts';
import type { MovedDecision, MovedFinding, MovedProject, MovedReason, MovedState, MoveSource } from './move-source.ts';
import type { MoveTally } from './move-tally.ts';
import { noteText } from './note-text.ts';
import { RemoteFailure, type SourceApi } from './source-api.ts';

export const SEMGREP = 'Semgrep';
const PROJECT_PAGE = 500;
/** The interface takes 100 to 3000; large pages need much memory. */
const FINDING_PAGE = 500;
const SECRET_PAGE = 100;
const CODE_KINDS = ['sast', 'sca', 'ai_sast'] as const;

const STATES: Record<string, MovedState> = {
  ignored: 'IGNORED',
  reviewing: 'REVIEWING',
  fixing: 'FIXING',
  reopened: 'REOPENED',
  provisionally_ignored: 'PROVISIONALLY_IGNORED',
};
const REASONS: Record<string, MovedReason> = {
  false_positive: 'FALSE_POSITIVE',
  acceptable_risk: 'ACCEPTABLE_RISK',
  no_time: 'NO_TIME',
  duplicate: 'DUPLICATE',
};
/** Members of a finding that say what it is and where; what people decided is sent as decisions. */
const RECORD_MEMBERS = [
  ...['match_based_id', 'syntactic_id', 'rule_name', 'rule_message', 'rule', 'location', 'severity', 'categories'],
  ...['found_dependency', 'vulnerability_identifier', 'reachability', 'fix_recommendations'],
];

export const idOf = (value: unknown): string => (typeof value === 'number' ? String(value) : (text(value) ?? ''));
const shortRef = (ref: string) => ref.replace(/^refs\/heads\//, '');
const pick = (from: LooseObject, names: readonly string[]) =>
  Object.fromEntries(names.flatMap((name) => (from[name] == null ? [] : [[name, from[name]]])));

/** Semgrep AppSec Platform by its public API. */
export class SemgrepSource implements MoveSource {
  readonly title = SEMGREP;
  readonly format = 'semgrep-findings';
  readonly api: SourceApi;
  /** Names of projects by their id there, for teams. */
  readonly projectNames = new Map<string, string>();
  #deployment = { id: '', slug: '' };

  constructor(api: SourceApi) {
    this.api = api;
  }

  get deployment(): { id: string; slug: string } {
    return this.#deployment;
  }

  async connect(): Promise<string> {
    const [first] = objects(object(await this.api.get('/api/v1/deployments'))['deployments']);
    if (!first) throw new RemoteFailure('The token of PARAPET_SOURCE_TOKEN sees no deployment of Semgrep.', 403);
    this.#deployment = { id: idOf(first['id']), slug: text(first['slug']) ?? '' };
    return `deployment ${this.#deployment.slug}`;
  }

  async *projects(): AsyncIterable<MovedProject> {
    const path = `/api/v1/deployments/${encodeURIComponent(this.#deployment.slug)}/projects`;
    for (let page = 0; ; page++) {
      const found = objects(object(await this.api.get(path, { page, page_size: PROJECT_PAGE }))['projects']);
      for (const project of found) yield this.#projectOf(project);
      if (found.length < PROJECT_PAGE) return;
    }
  }

  #projectOf(project: LooseObject): MovedProject {
    const [id, name] = [idOf(project['id']), text(project['name']) ?? ''];
    this.projectNames.set(id, name);
    const primary = text(project['primary_branch']);
    const ref = primary ?? text(project['default_branch']);
    return {
      ...{ id, name, tags: texts(project['tags']) },
      ...(ref !== undefined && { ref: shortRef(ref) }),
      ...(primary !== undefined && { primaryRef: primary }),
    };
  }

  frame(): readonly [string, string] {
    return ['{"findings":[\n', ']}'];
  }

  async *findings(project: MovedProject, tally: MoveTally): AsyncIterable<MovedFinding> {
    const path = `/api/v1/deployments/${encodeURIComponent(this.#deployment.slug)}/findings`;
    const seen = new Set<string>();
    // Findings have their branch as the scanner sent it, short or full.
    const refs = project.ref === undefined ? [undefined] : [project.ref, `refs/heads/${project.ref}`];
    if (project.ref !== undefined) tally.leave('projects whose other branches and pull requests are not read');
    for (const [kind, ref] of CODE_KINDS.flatMap((one) => refs.map((other) => [one, other] as const))) {
      const query = { issue_type: kind, repos: project.name, page_size: FINDING_PAGE };
      const wanted = ref === undefined ? { ...query, dedup: 'true' } : { ...query, ref };
      for (let page = 0; ; page++) {
        const found = objects(object(await this.api.get(path, { ...wanted, page }))['findings']);
        for (const finding of found) if (isNew(seen, kind, finding)) yield* codeFinding(finding, tally);
        if (found.length < FINDING_PAGE) break;
      }
    }
    yield* this.#secrets(project, tally);
  }

  async *#secrets(project: MovedProject, tally: MoveTally): AsyncIterable<MovedFinding> {
    const path = `/api/v1/deployments/${this.#deployment.id}/secrets`;
    let cursor = '';
    do {
      const query = { repo: project.name, limit: SECRET_PAGE, ...(cursor !== '' && { cursor }) };
      const reply = await this.api.get(path, query).catch((error: unknown) => {
        // A deployment without the product has no such list.
        if (error instanceof RemoteFailure && [403, 404].includes(error.status)) return {};
        throw error;
      });
      for (const secret of objects(object(reply)['findings'])) {
        const ref = shortRef(text(secret['ref']) ?? '');
        if (project.ref === undefined || ref === '' || ref === project.ref) yield* secretFinding(secret, tally);
        else tally.leave('findings of secrets on other branches');
      }
      const next = text(object(reply)['cursor']) ?? '';
      cursor = next === cursor ? '' : next;
    } while (cursor !== '');
  }
}

/** Pages move while findings are added there, so that one can be seen twice. */
function isNew(seen: Set<string>, kind: string, finding: LooseObject): boolean {
  const id = `${kind} ${idOf(finding['id'])}`;
  return !seen.has(id) && seen.add(id).size > 0;
}

const wordOf = (value: unknown) => (text(value) ?? '').toLowerCase().replace(/^finding_status_/, '');

function* codeFinding(finding: LooseObject, tally: MoveTally): Iterable<MovedFinding> {
  if (wordOf(finding['status']) === 'fixed' || wordOf(finding['state']) === 'fixed') {
    tally.leave('findings that are fixed there');
    return;
  }
  countExtras(finding, tally);
  const record = { ...pick(finding, RECORD_MEMBERS), ...(finding['state'] === 'muted' && { state: 'muted' }) };
  const decision = decisionOf(finding, tally);
  yield { report: '', record, key: idOf(finding['match_based_id']), ...(decision && { decision }) };
}

function decisionOf(finding: LooseObject, tally: MoveTally): MovedDecision | undefined {
  const state = STATES[wordOf(finding['triage_state'])];
  const comment = text(finding['triage_comment']);
  if (state === undefined && comment === undefined) return undefined;
  const notes = [{ text: comment ?? 'Decided there.', at: text(finding['triaged_at']) }];
  const { note, isCut } = noteText(SEMGREP, notes);
  if (isCut) tally.leave('ends of notes that are too long');
  if (state !== undefined) tally.leave('authors of decisions, which the API of Semgrep does not tell');
  const reason = state === 'IGNORED' ? REASONS[wordOf(finding['triage_reason'])] : undefined;
  return { note, ...(state && { state }), ...(reason && { reason }) };
}

function countExtras(finding: LooseObject, tally: MoveTally): void {
  const { autotriage, autofix, guidance } = object(finding['assistant']);
  tally.leave('dates of first detection: findings begin here with their import');
  if ((autotriage ?? autofix ?? guidance) != null) tally.leave('verdicts and fixes of the assistant');
  if (finding['external_ticket'] != null) tally.leave('links to tickets');
  tally.leave('threads of review comments', list(finding['review_comments']).length);
}

function* secretFinding(secret: LooseObject, tally: MoveTally): Iterable<MovedFinding> {
  const status = wordOf(secret['status']);
  if (status === 'fixed' || status === 'removed') {
    tally.leave('findings that are fixed there');
    return;
  }
  countExtras({ external_ticket: secret['externalTicket'], review_comments: secret['reviewComments'] }, tally);
  const { note } = noteText(SEMGREP, [{ text: 'Decided there.', at: text(secret['updatedAt']) }]);
  const state = STATES[status];
  yield {
    report: '',
    record: pick(secret, ['id', 'type', 'findingPath', 'severity', 'validationState']),
    key: `semgrep-secret-${idOf(secret['id'])}`,
    ...(state && { decision: { state, note } }),
  };
}
