import type { Examples } from '#kernel/contract/example.ts';
import type * as aggregates from './aggregates/contract.ts';
import type * as allFindings from './all-findings/contract.ts';
import type * as bulk from './bulk/contract.ts';
import type * as comments from './comments/contract.ts';
import type * as evidence from './evidence/contract.ts';
import type * as exports from './export/contract.ts';
import type * as list from './list/contract.ts';
import type * as views from './views/contract.ts';
import { viewExamples } from './views/examples.ts';

const filter = { severities: ['SEVERITY_HIGH', 'SEVERITY_CRITICAL'], tab: 'ISSUE_TAB_OPEN' } as const;
const query = {
  issueTypes: ['ISSUE_TYPE_SAST' as const, 'ISSUE_TYPE_AI_SAST' as const],
  filter: { ...filter, severities: [...filter.severities] },
};

type Contract = typeof list &
  typeof aggregates &
  typeof views &
  typeof exports &
  typeof evidence &
  typeof bulk &
  typeof allFindings &
  typeof comments;

export const examples: Examples<Contract> = {
  ...viewExamples,
  listIssueComments: (of) => ({
    path: { deploymentId: of('Deployment'), issueId: of('Finding') },
    query: { limit: '50', cursor: '' },
  }),
  createIssueComment: (of) => ({
    path: { deploymentId: of('Deployment'), issueId: of('Finding') },
    body: { text: 'Is this path still used? @ada@example.com' },
  }),
  updateIssueComment: (of) => ({
    path: { deploymentId: of('Deployment'), commentId: of('FindingComment') },
    body: { text: 'It is not used any more.' },
  }),
  deleteIssueComment: (of) => ({ path: { deploymentId: of('Deployment'), commentId: of('FindingComment') } }),
  listIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { ...query, sortBy: 'SORT_BY_RELEVANT_SINCE', limit: 100, cursor: '' },
  }),
  listAllIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { q: 'is:open severity:high,critical', sortBy: 'SORT_BY_RELEVANT_SINCE', limit: 100, cursor: '' },
  }),
  exportIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { ...query, filter: { repositoryNames: [`acme/${of('Fresh')}`] }, limit: 1000 },
  }),
  getIssueCounts: (of) => ({ path: { deploymentId: of('Deployment') }, body: query }),
  getIssueFilters: (of) => ({ path: { deploymentId: of('Deployment') }, body: query }),
  listIssueGroups: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: { ...query, sortDirection: 'SORT_DIRECTION_DESC', limit: 100, cursor: '' },
  }),
  getIssue: (of) => ({
    path: { deploymentId: of('Deployment'), issueId: of('Finding') },
    query: { includeCodeSnippet: true, includeIsArchived: true },
  }),
  getIssueCodeSnippets: (of) => ({ path: { deploymentId: of('Deployment'), issueId: of('Finding') } }),
  getIssueEvidence: (of) => ({ path: { deploymentId: of('Deployment'), issueId: of('Finding') } }),
  bulkUpdateIssues: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      issueTypes: ['ISSUE_TYPE_SAST'],
      filter: { repositoryNames: [`acme/${of('Fresh')}`], tab: 'ISSUE_TAB_OPEN' },
      params: { triageState: 'FINDING_TRIAGE_STATE_REVIEWING', note: 'Looking at all of them.' },
    },
  }),
  startBulkUpdate: (of) => ({
    path: { deploymentId: of('Deployment') },
    body: {
      filter: { repositoryNames: [`acme/${of('Fresh')}`] },
      q: 'is:open severity:low,info',
      params: { triageState: 'FINDING_TRIAGE_STATE_IGNORED', triageReason: 'FINDING_TRIAGE_REASON_NO_TIME' },
      snapshot: '9007199254740991',
    },
  }),
  getBatch: (of) => ({ path: { deploymentId: of('Deployment'), batchId: of('FindingBatch') } }),
  undoBatch: (of) => ({
    path: { deploymentId: of('Deployment'), batchId: of('FindingBatch') },
    body: {},
  }),
};
