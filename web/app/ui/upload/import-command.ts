/** The command that hands in a report from a terminal; the token is named, never shown. */
export const importCommand = (slug: string, project: string, file = 'report.sarif'): string => {
  const query = new URLSearchParams({ project, ref: 'main' });
  return [
    `curl -X POST '${location.origin}/api/v1/deployments/${slug}/imports?${query}'`,
    '-H "Authorization: Bearer $PARAPET_TOKEN"',
    `--data-binary @${file}`,
  ].join(' \\\n  ');
};

/** Lines for a workflow of GitHub that scans and hands in what was found. */
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
