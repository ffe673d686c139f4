import type { CiTrust } from './queries.ts';

interface SnippetContext {
  origin: string;
  slug: string;
  audience: string;
}

const URN = 'urn:ietf:params:oauth';

/** The body is written in two parts, because the token comes from a variable of the shell. */
const exchange = ({ origin, slug }: SnippetContext, token: string) => {
  const body = JSON.stringify({
    grant_type: `${URN}:grant-type:token-exchange`,
    subject_token_type: `${URN}:token-type:id_token`,
    audience: slug,
    subject_token: `'"${token}"'`,
  }).replaceAll('\\"', '"');
  return `curl -sS --fail-with-body -H 'Content-Type: application/json' '${origin}/api/auth/ci-tokens' --data \\
  '${body}'`;
};

const scan = ({ origin }: SnippetContext) => `export SEMGREP_URL='${origin}' SEMGREP_FAIL_OPEN_URL='${origin}'
export SEMGREP_VERSION_CHECK_URL='${origin}/api/check-version' SEMGREP_SEND_METRICS=off
semgrep ci --oss-only --no-suppress-errors`;

const readToken = `python3 -c 'import json,sys; print(json.load(sys.stdin)["access_token"])'`;

const indent = (text: string, by: number) => text.replaceAll('\n', `\n${' '.repeat(by)}`);

const steps = (context: SnippetContext, token: string) =>
  `SEMGREP_APP_TOKEN=$(${exchange(context, token)} \\
  | ${readToken})
export SEMGREP_APP_TOKEN
${scan(context)}`;

/** What a job of the provider runs to get a scanner token and to scan with it. */
export function jobSnippet(provider: CiTrust['provider'], context: SnippetContext): string {
  switch (provider) {
    case 'GITHUB_ACTIONS':
      return `on:
  pull_request: {}
  push: { branches: [main] }
permissions: { contents: read, id-token: write }
jobs:
  scan:
    runs-on: ubuntu-latest
    container: semgrep/semgrep
    steps:
      - uses: actions/checkout@v4
      - shell: bash
        run: |
          JOB_TOKEN=$(curl -sS --fail-with-body -H "Authorization: Bearer $ACTIONS_ID_TOKEN_REQUEST_TOKEN" \\
            "$ACTIONS_ID_TOKEN_REQUEST_URL&audience=${encodeURIComponent(context.audience)}" \\
            | python3 -c 'import json,sys; print(json.load(sys.stdin)["value"])')
          ${indent(steps(context, '$JOB_TOKEN'), 10)}`;
    case 'GITLAB_CI':
      return `scan:
  image: semgrep/semgrep
  id_tokens:
    JOB_TOKEN: { aud: '${context.audience}' }
  variables: { GIT_DEPTH: 0 }
  script:
    - |
      ${indent(steps(context, '$JOB_TOKEN'), 6)}`;
    case 'BUILDKITE':
      return `steps:
  - label: scan
    command: |
      JOB_TOKEN=$$(buildkite-agent oidc request-token --audience '${context.audience}')
      ${indent(
        steps(context, '$JOB_TOKEN').replaceAll('$', () => '$$'),
        6,
      )}`;
    case 'GENERIC':
      return `# JOB_TOKEN is the signed token of the job, for the audience ${context.audience}
${steps(context, '$JOB_TOKEN')}`;
  }
}
