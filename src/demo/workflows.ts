import { z } from 'zod';
import { publicIssues } from '#services/public-issues/routes.ts';
import { callOperation } from './call-operation.ts';
import type { DemoContext, DemoStep } from './context.ts';
import type { DemoProject } from './projects.ts';

const IssueId = z.object({ id: z.string() });

interface IssueDraft {
  identity: string;
  title: string;
  description: string;
  reasoning: string;
  severity: string;
  filePaths: string[];
  cwes: string[];
  project: number;
}

const ENDPOINTS: readonly IssueDraft[] = [
  {
    identity: 'missing-authorization:GET /invoices/{id}',
    title: 'The endpoint does not check who owns the invoice',
    description: 'Any signed-in customer can read invoices of others by counting up the id.',
    reasoning: 'The handler loads the invoice by its id alone; its neighbours compare the owner with the session.',
    severity: 'SEVERITY_CRITICAL',
    filePaths: ['src/main/java/com/acme/api/invoice-load.java'],
    cwes: ['CWE-862'],
    project: 1,
  },
  {
    identity: 'rate-limit:POST /vouchers/redeem',
    title: 'Vouchers can be guessed',
    description: 'Redeeming is not limited, and codes have eight characters.',
    reasoning: 'Other endpoints of the router use the limiter; this one was added later and does not.',
    severity: 'SEVERITY_HIGH',
    filePaths: ['src/api/voucher-check.ts'],
    cwes: ['CWE-307'],
    project: 2,
  },
  {
    identity: 'mass-assignment:PATCH /profiles/{id}',
    title: 'A profile can be given the role of an administrator',
    description: 'The whole body is written to the table, the column of the role included.',
    reasoning: 'The schema of the body has no list of members, and the table has a column `role`.',
    severity: 'SEVERITY_HIGH',
    filePaths: ['src/api/profile-update.ts'],
    cwes: ['CWE-915'],
    project: 0,
  },
  {
    identity: 'token-in-log:worker',
    title: 'The token of the queue is written to the log on failure',
    description: 'The error that is logged holds the connection address with its password.',
    reasoning: 'The driver puts the address into the message, and the message is logged as it is.',
    severity: 'SEVERITY_MEDIUM',
    filePaths: ['app/jobs/queue-sync.py'],
    cwes: ['CWE-532'],
    project: 5,
  },
];

const REVIEW: readonly IssueDraft[] = [
  {
    identity: 'stale-session:DELETE /sessions',
    title: 'Signing out keeps the refresh token alive',
    description: 'The access token ends, the refresh token can be used for another 30 days.',
    reasoning: 'The handler deletes the cookie; the row of the session stays.',
    severity: 'SEVERITY_HIGH',
    filePaths: ['internal/api/session-resolve.go'],
    cwes: ['CWE-613'],
    project: 3,
  },
  {
    identity: 'debug-endpoint:GET /debug/vars',
    title: 'Counters of the process are public',
    description: 'The debug handler is registered on the public mux.',
    reasoning: 'Importing expvar registers it; the server uses the default mux.',
    severity: 'SEVERITY_LOW',
    filePaths: ['cmd/server/metric-publish.go'],
    cwes: ['CWE-489'],
    project: 4,
  },
];

interface WorkflowRun {
  ago: number;
  workflow: string;
  job: string;
  trigger: string;
  drafts: readonly IssueDraft[];
}

const RUNS: readonly WorkflowRun[] = [
  { ago: 25.5, workflow: 'review-new-endpoints', job: 'job-2291', trigger: 'pull_request', drafts: ENDPOINTS },
  { ago: 6.5, workflow: 'weekly-threat-review', job: 'job-2417', trigger: 'schedule', drafts: REVIEW },
  { ago: 2.5, workflow: 'review-new-endpoints', job: 'job-2466', trigger: 'schedule', drafts: ENDPOINTS.slice(0, 2) },
];

async function reportIssues(
  { ago, workflow, job, trigger, drafts }: WorkflowRun,
  projects: readonly DemoProject[],
  [tx, context]: StepContext,
) {
  const issues: object[] = [];
  for (const { project, ...draft } of drafts)
    issues.push({ ...draft, projectId: await context.project(tx, projects[project]?.name ?? '') });
  const body = { workflowId: workflow, workflowJobId: job, triggerSource: trigger, issues };
  const caller = await context.person(tx, 'tomas');
  await callOperation(tx, context, [publicIssues, 'reportIssues'], { body, caller, now: context.daysAgo(ago) });
}

type StepContext = [Parameters<DemoStep['run']>[0], DemoContext];

const triageStep = (ago: number, identity: string, body: object): DemoStep => ({
  ago,
  run: async (tx, context) => {
    const issue = await tx.one(IssueId)`
      select id from workflow_issue where deployment_id = ${context.deployment} and identity = ${identity}`;
    const path = { issueId: issue?.id ?? '' };
    const caller = await context.person(tx, 'mara');
    await callOperation(tx, context, [publicIssues, 'triageIssue'], { path, body, caller, now: context.daysAgo(ago) });
  },
});

/** The issues that agentic workflows reported, and the decisions about them. */
export const workflowSteps = (projects: readonly DemoProject[]): DemoStep[] => [
  ...RUNS.map((run): DemoStep => ({ ago: run.ago, run: (tx, context) => reportIssues(run, projects, [tx, context]) })),
  triageStep(20.4, 'missing-authorization:GET /invoices/{id}', { triageState: 'TRIAGE_STATE_FIXING' }),
  triageStep(5.4, 'debug-endpoint:GET /debug/vars', {
    triageState: 'TRIAGE_STATE_IGNORED',
    triageReason: 'TRIAGE_REASON_ACCEPTABLE_RISK',
  }),
];
