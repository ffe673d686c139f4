import { FakeSource, type SourceRequest } from './fake-source.ts';

export const DEFECTDOJO_TOKEN = 'dojo-key';

type DojoRecord = Record<string, unknown> & { id: number };

/** A finding as `GET /api/v2/findings/` documents it. */
export function dojoFinding(id: number, more: Record<string, unknown> = {}): DojoRecord {
  return {
    id,
    test: 1,
    found_by: [5],
    title: `Weakness ${id}`,
    description: 'What it is.',
    mitigation: 'What to do.',
    severity: 'High',
    numerical_severity: 'S1',
    cwe: 79,
    active: true,
    verified: false,
    false_p: false,
    duplicate: false,
    out_of_scope: false,
    risk_accepted: false,
    under_review: false,
    is_mitigated: false,
    file_path: `src/${id}.py`,
    line: 3,
    component_name: null,
    component_version: null,
    vulnerability_ids: [],
    endpoints: [],
    notes: [],
    files: [],
    tags: [],
    accepted_risks: [],
    vuln_id_from_tool: null,
    unique_id_from_tool: null,
    references: null,
    param: null,
    jira_creation: null,
    ...more,
  };
}

/** DefectDojo as its API v2 documents it. */
export class FakeDefectDojo extends FakeSource {
  testTypes = [
    { id: 5, name: 'Semgrep JSON Report' },
    { id: 6, name: 'ZAP Scan' },
    { id: 7, name: 'Trivy Scan' },
  ];
  products: DojoRecord[] = [];
  endpoints: DojoRecord[] = [];
  /** By the id of their product. */
  findings: Record<string, DojoRecord[]> = {};
  /** What the server allows in a page. */
  maxLimit = 1000;

  constructor() {
    super(`Token ${DEFECTDOJO_TOKEN}`);
  }

  protected respond({ path, query }: SourceRequest): object | undefined {
    switch (path) {
      case '/api/v2/test_types/':
        return this.#page(this.testTypes, query);
      case '/api/v2/products/':
        return this.#page(this.products, query);
      case '/api/v2/endpoints/':
        return this.#page(
          this.endpoints.filter(({ product }) => String(product) === query.get('product')),
          query,
        );
      case '/api/v2/findings/':
        return this.#page(this.findings[query.get('test__engagement__product') ?? ''] ?? [], query);
      default:
        return undefined;
    }
  }

  #page(all: readonly object[], query: URLSearchParams) {
    const [offset, limit] = [Number(query.get('offset') ?? 0), Number(query.get('limit') ?? 25)];
    const end = offset + Math.min(limit, this.maxLimit);
    const next = end < all.length ? 'http://behind-a-proxy.example.test/next' : null;
    return { count: all.length, next, previous: null, results: all.slice(offset, end) };
  }
}
