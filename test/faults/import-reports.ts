import { request } from 'node:http';

export interface Sender {
  baseUrl: string;
  deployment: string;
  token: string;
}

export interface Sent {
  project: string;
  commit: string;
  category?: string;
}

export interface Result {
  rule: string;
  path: string;
  line: number;
  code: string;
}

/** Distinct results of a range of numbers, shifted by some lines. */
export const results = (from: number, to: number, shift = 0): Result[] =>
  Array.from({ length: to - from }, (_, index) => {
    const number = from + index;
    return { rule: `rule-${number % 7}`, path: `src/${number % 11}.js`, line: number + shift, code: `run(${number})` };
  });

/** A SARIF report of these results. */
export const sarif = (all: readonly Result[]): string =>
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'checker' } },
        results: all.map(({ rule, path, line, code }) => ({
          ruleId: rule,
          message: { text: `${rule} at ${code}` },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: path },
                region: { startLine: line, snippet: { text: code } },
              },
            },
          ],
        })),
      },
    ],
  });

/** Uploads a report. Rejects if no reply arrived. */
export function sendReport({ baseUrl, deployment, token }: Sender, report: string, sent: Sent): Promise<number> {
  const query = new URLSearchParams({ ref: 'main', ...sent });
  return new Promise((resolve, reject) => {
    const asked = request(`${baseUrl}/api/v1/deployments/${deployment}/imports?${query}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/sarif+json',
        'content-length': Buffer.byteLength(report),
      },
    });
    asked.on('error', reject);
    asked.on('response', (response) => {
      response
        .on('error', reject)
        .on('end', () => resolve(response.statusCode ?? 0))
        .resume();
    });
    asked.end(report);
  });
}

type Look = (text: string, values: unknown[]) => Promise<{ line: string }[]>;

/** Everything that imports stored about a project, without ids and times: equal for equal imports. */
export async function traceOf(look: Look, project: string): Promise<string[]> {
  const rows = await look(
    `with mine as (select finding.* from finding join project on project.id = project_id where name = $1),
     told as (
       select format('finding %s %s:%s %s %s', rule, path, line, status, version) as line from mine
       union all select format('detection %s %s:%s %s %s', key, detection.path, detection.line, detection.state,
           mine.rule) from detection join mine on mine.id = finding_id join analysis on analysis.id = analysis_id
       union all select format('fingerprint %s %s', digest, rule) from fingerprint join mine on mine.id = finding_id
       union all select format('event %s %s %s', kind, rule, path) from finding_event join mine on mine.id = finding_id
       union all select format('scan %s %s %s', scan.status, commit, found_code) from scan
         join project on project.id = project_id where project.name = $1
       union all select format('report of %s, %s pieces', commit, count(*)) from scan_report
         join scan on scan.id = scan_id join project on project.id = project_id where project.name = $1 group by commit)
     select line from told order by line`,
    [project],
  );
  return rows.map(({ line }) => line);
}

/** A few lines of the difference. */
export function difference(one: readonly string[], other: readonly string[]): string {
  const [mine, theirs] = [new Set(one), new Set(other)];
  const more = [...one.filter((line) => !theirs.has(line)).map((line) => `+ ${line}`)];
  const less = [...other.filter((line) => !mine.has(line)).map((line) => `- ${line}`)];
  return `${one.length} instead of ${other.length} rows; ${[...more, ...less].slice(0, 4).join(', ')}`;
}
