import { type LooseObject, list, object, objects, text, texts } from '#domain/reports/json/loose-values.ts';
import type { MovedDecision, MovedFinding, MovedProject, MoveSource } from './move-source.ts';
import type { MoveTally } from './move-tally.ts';
import { type MovedNote, noteText } from './note-text.ts';
import { RemoteFailure, type SourceApi } from './source-api.ts';

const DEFECTDOJO = 'DefectDojo';
const PAGE = 250;

const RECORD_MEMBERS = [
  ...['id', 'title', 'severity', 'cwe', 'vulnerability_ids', 'file_path', 'sast_source_file_path', 'line', 'param'],
  ...['component_name', 'component_version', 'vuln_id_from_tool', 'unique_id_from_tool', 'references'],
];

const idOf = (value: unknown): string => (typeof value === 'number' ? String(value) : (text(value) ?? ''));

/** DefectDojo by its API v2. */
export class DefectDojoSource implements MoveSource {
  readonly title = DEFECTDOJO;
  readonly format = 'defectdojo-json';
  readonly #api: SourceApi;
  readonly #now: Date;
  /** Names of test types by id: which tool found a finding. */
  #testTypes = new Map<string, string>();

  constructor(api: SourceApi, now: Date) {
    this.#api = api;
    this.#now = now;
  }

  async connect(): Promise<string> {
    for await (const type of this.#list('test_types')) this.#testTypes.set(idOf(type['id']), text(type['name']) ?? '');
    return 'all products';
  }

  /** By offset and not by `next`, which can name an address behind a proxy. */
  async *#list(noun: string, query: Record<string, string> = {}): AsyncIterable<LooseObject> {
    for (let offset = 0; ; offset += PAGE) {
      const reply = object(await this.#api.get(`/api/v2/${noun}/`, { ...query, limit: PAGE, offset }));
      const found = objects(reply['results']);
      yield* found;
      // A server can allow fewer in a page than were asked for.
      if (found.length === 0 || reply['next'] == null) return;
      if (found.length < PAGE) offset += found.length - PAGE;
    }
  }

  async *projects(): AsyncIterable<MovedProject> {
    for await (const product of this.#list('products'))
      yield { id: idOf(product['id']), name: (text(product['name']) ?? '').trim(), tags: texts(product['tags']) };
  }

  frame(report: string): readonly [string, string] {
    return [`{${report === '' ? '' : `"type":${JSON.stringify(report)},`}"results":[\n`, ']}'];
  }

  async *findings(project: MovedProject, tally: MoveTally): AsyncIterable<MovedFinding> {
    const endpoints = await this.#endpointsOf(project);
    const query = { test__engagement__product: project.id, o: 'id' };
    const seen = new Set<string>();
    for await (const finding of this.#list('findings', query)) {
      const id = idOf(finding['id']);
      if (seen.has(id)) continue;
      seen.add(id);
      const left = reasonToLeave(finding);
      if (left === undefined) yield this.#movedOf(finding, endpoints, tally);
      else tally.leave(left);
    }
  }

  /** Findings refer to addresses by their ids. Newer versions have no such list. */
  async #endpointsOf(project: MovedProject): Promise<Map<string, LooseObject>> {
    const endpoints = new Map<string, LooseObject>();
    try {
      for await (const { id, protocol, host, port, path } of this.#list('endpoints', { product: project.id }))
        endpoints.set(idOf(id), { protocol, host, port, path });
    } catch (error) {
      if (!(error instanceof RemoteFailure) || error.status !== 404) throw error;
    }
    return endpoints;
  }

  #movedOf(finding: LooseObject, endpoints: ReadonlyMap<string, LooseObject>, tally: MoveTally): MovedFinding {
    const addresses = list(finding['endpoints']).flatMap((one) =>
      typeof one === 'number' || typeof one === 'string' ? (endpoints.get(idOf(one)) ?? []) : object(one),
    );
    const texts = [text(finding['description']), titled('Mitigation', finding['mitigation'])];
    const record = {
      ...Object.fromEntries(RECORD_MEMBERS.flatMap((name) => (finding[name] == null ? [] : [[name, finding[name]]]))),
      ...{ description: texts.filter((part) => part !== undefined).join('\n\n'), endpoints: addresses, active: true },
    };
    const report = this.#testTypes.get(idOf(list(finding['found_by'])[0])) ?? '';
    const decision = decisionOf(finding, { now: this.#now, tally });
    countExtras(finding, tally);
    return { report, record, key: `defectdojo-${idOf(finding['id'])}`, ...(decision && { decision }) };
  }
}

const titled = (title: string, value: unknown) => (text(value) === undefined ? undefined : `${title}: ${text(value)}`);

function reasonToLeave(finding: LooseObject): string | undefined {
  if (finding['duplicate'] === true) return 'findings that are duplicates there';
  if (finding['is_mitigated'] === true) return 'findings that are mitigated there';
  const isDecided = ['false_p', 'risk_accepted', 'out_of_scope', 'under_review'].some((name) => finding[name] === true);
  return finding['active'] === false && !isDecided ? 'findings that are inactive there' : undefined;
}

function decisionOf(finding: LooseObject, { now, tally }: { now: Date; tally: MoveTally }): MovedDecision | undefined {
  const decided = stateOf(finding, now);
  const visible = objects(finding['notes']).filter((note) => note['private'] !== true);
  tally.leave('private notes', list(finding['notes']).length - visible.length);
  const notes = [...decided.notes, ...visible.map(noteOf)];
  if (decided.state === undefined && notes.length === 0) return undefined;
  const { note, isCut } = noteText(DEFECTDOJO, notes);
  if (isCut) tally.leave('ends of notes that are too long');
  const { notes: _, ...rest } = decided;
  return { ...rest, note };
}

const noteOf = ({ entry, author, date }: LooseObject): MovedNote => ({
  text: text(entry) ?? '',
  author: text(object(author)['username']),
  at: text(date),
});

function stateOf(finding: LooseObject, now: Date): MovedDecision & { notes: MovedNote[] } {
  if (finding['false_p'] === true) return { state: 'IGNORED', reason: 'FALSE_POSITIVE', notes: [] };
  if (finding['risk_accepted'] === true) return acceptanceOf(objects(finding['accepted_risks']), now);
  if (finding['out_of_scope'] === true)
    return { state: 'IGNORED', reason: 'NO_TRIAGE_REASON', notes: [{ text: 'Out of scope.' }] };
  return finding['under_review'] === true ? { state: 'REVIEWING', notes: [] } : { notes: [] };
}

/** The acceptance that ends last decides when the finding is open again. */
function acceptanceOf(acceptances: readonly LooseObject[], now: Date): MovedDecision & { notes: MovedNote[] } {
  const notes = acceptances.map(({ name, decision_details: details, accepted_by: by, created }) => ({
    text: ['Risk accepted', text(name), text(details)].filter((part) => part !== undefined).join(': '),
    author: text(by),
    at: text(created),
  }));
  const ends = acceptances.map(({ expiration_date: end }) => Date.parse(text(end) ?? ''));
  const last = ends.length > 0 && ends.every(Number.isFinite) ? Math.max(...ends) : Number.NaN;
  return {
    state: 'IGNORED',
    reason: 'ACCEPTABLE_RISK',
    notes,
    ...(last > now.getTime() && { until: new Date(last).toISOString() }),
  };
}

function countExtras(finding: LooseObject, tally: MoveTally): void {
  tally.leave('dates of first detection: findings begin here with their import');
  if (finding['jira_creation'] != null) tally.leave('links to Jira issues');
  tally.leave('tags of findings', list(finding['tags']).length);
  tally.leave('files attached to findings', list(finding['files']).length);
}
