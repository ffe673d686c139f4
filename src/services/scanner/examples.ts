import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

const start = (fresh: string) => ({
  project_metadata: {
    scan_environment: 'github-actions',
    repository: `acme/web-${fresh}`,
    repo_url: 'https://git.example.com/acme/web',
    branch: 'refs/heads/main',
    commit: '3f2c1ab0',
    on: 'push',
    is_full_scan: true,
  },
  scan_metadata: { cli_version: '1.99.0', unique_id: `run-${fresh}`, requested_products: [], dry_run: false },
});

const results = {
  findings: [],
  ignores: [],
  token: null,
  searched_paths: ['src/app.py'],
  renamed_paths: [],
  rule_ids: ['parapet.python.eval'],
};

export const examples: Examples<typeof contract> = {
  startScan: (of) => ({ body: start(of('Fresh')) }),
  requestScan: (of) => ({ body: start(of('Fresh')) }),
  getRequestedConfig: () => ({ path: { scanRequestId: 'run-1' }, query: { include_rules: true } }),
  startLegacyScan: (of) => ({ body: start(of('Fresh')) }),
  getLegacyConfig: (of) => ({ path: { scanId: of('Scan') } }),
  getRulesToScan: () => ({ query: { repo_name: 'acme/web', dry_run: 'True' } }),
  getFallbackConfig: () => ({ query: { repo_name: 'acme/web' } }),
  sendResults: (of) => ({ path: { scanId: of('RunningScan') }, upload: JSON.stringify(results) }),
  completeScan: (of) => ({
    path: { scanId: of('Scan') },
    body: { exit_code: 0, stats: { findings: 0, total_time: 4.2 } },
  }),
  failScan: (of) => ({ path: { scanId: of('Scan') }, body: { exit_code: 2, stderr: '' } }),
  getCurrentDeployment: () => ({}),
  getEngine: () => ({ path: { platform: 'manylinux' }, query: { version: '1.99.0' } }),
  checkVersion: () => ({}),
  reportFailure: () => ({ body: { status_code: 500, exit_code: 2 } }),
};
