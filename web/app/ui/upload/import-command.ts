/** The curl command that imports a report. The token is read from an environment variable and never printed. */
export const importCommand = (slug: string, project: string, file = 'report.sarif'): string => {
  const query = new URLSearchParams({ project, ref: 'main' });
  return [
    `curl -X POST '${location.origin}/api/v1/deployments/${slug}/imports?${query}'`,
    '-H "Authorization: Bearer $PARAPET_TOKEN"',
    `--data-binary @${file}`,
  ].join(' \\\n  ');
};

/** Steps for a GitHub workflow that scans the code and imports the report. */
export const ciWorkflowSnippet = (slug: string): string => {
  const query = 'project=$GITHUB_REPOSITORY&ref=$GITHUB_REF_NAME&commit=$GITHUB_SHA';
  return [
    '- uses: actions/checkout@v4',
    '- run: pip install semgrep && semgrep scan --config auto --sarif -o report.sarif',
    '- run: |',
    `    curl --fail -X POST "${location.origin}/api/v1/deployments/${slug}/imports?${query}" \\`,
    `      -H "Authorization: Bearer $\{{ secrets.PARAPET_TOKEN }}" --data-binary @report.sarif`,
  ].join('\n');
};
