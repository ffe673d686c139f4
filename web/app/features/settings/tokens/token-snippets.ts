export interface TokenSnippet {
  id: string;
  name: string;
  text: string;
}

interface SnippetContext {
  origin: string;
  slug: string;
  secret: string;
}

const tryIt = ({ origin, secret }: SnippetContext): TokenSnippet => ({
  id: 'try',
  name: 'Try it',
  text: `curl -sS --fail-with-body -H 'Authorization: Bearer ${secret}' '${origin}/api/agent/identity'`,
});

const findings = ({ origin, slug, secret }: SnippetContext): TokenSnippet => ({
  id: 'findings',
  name: 'List findings',
  text: `curl -sS --fail-with-body -H 'Authorization: Bearer ${secret}' \\
  '${origin}/api/v1/deployments/${slug}/findings?page=0&page_size=10'`,
});

const upload = ({ origin, slug, secret }: SnippetContext): TokenSnippet => ({
  id: 'upload',
  name: 'Upload a report',
  text: `curl -sS --fail-with-body -H 'Authorization: Bearer ${secret}' -H 'Content-Type: application/sarif+json' \\
  --data-binary @report.sarif '${origin}/api/v1/deployments/${slug}/imports?project=acme/web&ref=main'`,
});

const semgrep = ({ origin, secret }: SnippetContext): TokenSnippet => ({
  id: 'semgrep',
  name: 'Semgrep CLI',
  text: `export SEMGREP_URL='${origin}' SEMGREP_APP_TOKEN='${secret}'
export SEMGREP_FAIL_OPEN_URL='${origin}' SEMGREP_SEND_METRICS=off
export SEMGREP_VERSION_CHECK_URL='${origin}/api/check-version'
semgrep ci --oss-only --no-suppress-errors`,
});

// In CI the token comes from the secret store, never from the file.
const github = ({ origin }: SnippetContext): TokenSnippet => ({
  id: 'github',
  name: 'GitHub Actions',
  text: `# Store the token as the repository secret PARAPET_TOKEN.
on:
  pull_request: {}
  push: { branches: [main] }
jobs:
  scan:
    runs-on: ubuntu-latest
    container: semgrep/semgrep
    env:
      SEMGREP_URL: ${origin}
      SEMGREP_FAIL_OPEN_URL: ${origin}
      SEMGREP_VERSION_CHECK_URL: ${origin}/api/check-version
      SEMGREP_APP_TOKEN: \${{ secrets.PARAPET_TOKEN }}
      SEMGREP_SEND_METRICS: 'off'
    steps:
      - uses: actions/checkout@v4
      - run: semgrep ci --oss-only --no-suppress-errors`,
});

const gitlab = ({ origin }: SnippetContext): TokenSnippet => ({
  id: 'gitlab',
  name: 'GitLab CI',
  text: `# Store the token as the masked project variable PARAPET_TOKEN.
scan:
  image: semgrep/semgrep
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  variables:
    SEMGREP_URL: ${origin}
    SEMGREP_FAIL_OPEN_URL: ${origin}
    SEMGREP_VERSION_CHECK_URL: ${origin}/api/check-version
    SEMGREP_APP_TOKEN: $PARAPET_TOKEN
    SEMGREP_SEND_METRICS: 'off'
    GIT_DEPTH: 0
  script: semgrep ci --oss-only --no-suppress-errors`,
});

/** Example commands for a new token, limited to what it may do. */
export function tokenSnippets(context: SnippetContext, rights: { role: string; webApi: boolean }): TokenSnippet[] {
  const canScan = rights.role !== 'TOKEN_ROLE_READ_ONLY';
  const canRead = rights.webApi && rights.role !== 'TOKEN_ROLE_AGENT_CLI';
  return [tryIt, ...(canRead ? [findings] : []), ...(canScan ? [upload, github, gitlab, semgrep] : [])].map((create) =>
    create(context),
  );
}
