import { FakeSource, type SourceRequest } from './fake-source.ts';

export const SEMGREP_TOKEN = 'a'.repeat(64);

type SemgrepRecord = Record<string, unknown> & { id: number; repository: { name: string; url: string }; ref: string };

/** A finding of code as `GET /api/v1/deployments/{slug}/findings` documents it. */
export function semgrepFinding(id: number, project: string, more: Record<string, unknown> = {}): SemgrepRecord {
  const rule = `python.lang.rule-${id % 7}`;
  return {
    id,
    ref: 'refs/heads/main',
    first_seen_scan_id: 1,
    syntactic_id: id.toString(16).padStart(32, '0'),
    match_based_id: `${id.toString(16).padStart(128, '0')}_0`,
    repository: { name: project, url: `https://github.example.test/${project}` },
    line_of_code_url: null,
    triage_state: 'untriaged',
    state: 'unresolved',
    status: 'open',
    severity: 'high',
    confidence: 'medium',
    categories: ['security'],
    created_at: '2024-02-01T08:00:00.123456Z',
    relevant_since: '2024-02-01T08:00:00.123456Z',
    rule_name: rule,
    rule_message: `Do not do ${rule}.`,
    location: { file_path: `src/file${id % 50}.py`, line: id, column: 1, end_line: id, end_column: 9 },
    triaged_at: null,
    triage_comment: null,
    triage_reason: null,
    state_updated_at: null,
    rule: { name: rule, message: `Do not do ${rule}.`, confidence: 'medium', category: 'security', cwe_names: [] },
    external_ticket: null,
    review_comments: [],
    sourcing_policy: null,
    assistant: { autofix: null, autotriage: null, guidance: null, component: null, rule_explanation: null },
    ...more,
  };
}

/** Semgrep AppSec Platform as its public API documents it. */
export class FakeSemgrep extends FakeSource {
  projects: Record<string, unknown>[] = [];
  sast: SemgrepRecord[] = [];
  sca: SemgrepRecord[] = [];
  secrets: (Record<string, unknown> & { repository: { name: string } })[] = [];
  users: { id: string; email: string }[] = [];
  teams: Record<string, unknown>[] = [];
  members: Record<string, unknown[]> = {};
  repositories: Record<string, string[]> = {};
  policies: Record<string, unknown>[] = [];
  rules: Record<string, unknown[]> = {};

  constructor() {
    super(`Bearer ${SEMGREP_TOKEN}`);
  }

  protected respond({ path, query, body }: SourceRequest): object | undefined {
    const [, id = '', part = ''] = /\/teams\/(\d+)\/(members|repos)$/.exec(path) ?? [];
    if (part === 'members') return { users: this.members[id] ?? [], cursor: '' };
    if (part === 'repos') return { repositoryIds: this.repositories[id] ?? [], cursor: '' };
    const [, policy] = /\/deployments\/77\/policies\/(\d+)$/.exec(path) ?? [];
    if (policy !== undefined) return { policy: { id: policy }, rules: this.rules[policy] ?? [], cursor: '' };
    switch (path) {
      case '/api/v1/deployments':
        return { deployments: [{ id: 77, name: 'Acme', slug: 'acme', findings: { url: '' } }] };
      case '/api/v1/deployments/acme/projects':
        return { projects: pageOf(this.projects, query) };
      case '/api/v1/deployments/acme/findings':
        return { findings: pageOf(this.#findings(query), query) };
      case '/api/v1/deployments/77/secrets':
        return this.#secrets(query);
      case '/api/v1/deployments/77/policies':
        return { policies: this.policies };
      case '/api/agent/deployments/77/users':
        return { users: this.users };
      case '/api/permissions/v2/deployments/77/teams/list':
        return { teams: body['cursor'] === '' ? this.teams : [], cursor: '' };
      default:
        return undefined;
    }
  }

  #findings(query: URLSearchParams) {
    const all = { sast: this.sast, sca: this.sca }[query.get('issue_type') ?? 'sast'] ?? [];
    const ref = query.get('ref');
    return all.filter((one) => one.repository.name === query.get('repos') && (ref === null || one.ref === ref));
  }

  #secrets(query: URLSearchParams) {
    const all = this.secrets.filter(({ repository }) => repository.name === query.get('repo'));
    const [at, limit] = [Number(query.get('cursor') ?? 0), Number(query.get('limit'))];
    return { findings: all.slice(at, at + limit), cursor: at + limit < all.length ? String(at + limit) : '' };
  }
}

function pageOf<Item>(all: readonly Item[], query: URLSearchParams): Item[] {
  const [page, size] = [Number(query.get('page') ?? 0), Number(query.get('page_size') ?? 100)];
  return all.slice(page * size, (page + 1) * size);
}
