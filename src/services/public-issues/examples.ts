import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  searchIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      filters: { triageStates: ['TRIAGE_STATE_OPEN'], severities: ['SEVERITY_HIGH', 'SEVERITY_CRITICAL'] },
      sortField: 'ISSUE_SORT_FIELD_LAST_DETECTED_AT',
      sortDirection: 'SORT_DIRECTION_DESC',
      limit: '100',
      cursor: '',
    },
  }),
  countIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { filters: { titleQuery: 'injection' } },
  }),
  getIssue: (of) => ({ path: { deploymentId: of('Deployment'), issueId: of('Issue') } }),
  triageIssue: (of) => ({
    path: { deploymentId: of('Deployment'), issueId: of('Issue') },
    body: { triageState: 'TRIAGE_STATE_IGNORED', triageReason: 'TRIAGE_REASON_FALSE_POSITIVE' },
  }),
  getIssueActivityHistory: (of) => ({
    path: { deploymentId: of('Deployment'), issueId: of('Issue') },
    query: { limit: '100', cursor: '' },
  }),
  reportIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      workflowId: 'review-new-endpoints',
      workflowJobId: 'job-2291',
      triggerSource: 'pull_request',
      issues: [
        {
          identity: `missing-authorization ${of('Fresh')}`,
          title: 'The endpoint does not check who calls',
          description: 'Anybody can read invoices of others.',
          severity: 'SEVERITY_HIGH',
          filePaths: ['src/invoices.ts'],
          cwes: ['CWE-862'],
        },
      ],
    },
  }),
};
