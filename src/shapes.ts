import * as accounts from '#domain/accounts/shape.ts';
import * as deliveries from '#domain/automations/deliveries/delivery-shape.ts';
import * as notificationRules from '#domain/automations/notification-rules/rule-shape.ts';
import * as automations from '#domain/automations/shape.ts';
import * as notificationWebhooks from '#domain/automations/webhooks/webhook-shape.ts';
import * as dependencies from '#domain/dependencies/shape.ts';
import * as deployments from '#domain/deployments/shape.ts';
import * as findings from '#domain/findings/shape.ts';
import * as invitations from '#domain/invitations/shape.ts';
import * as mailing from '#domain/mailing/mail-shape.ts';
import * as notifications from '#domain/notifications/shape.ts';
import * as policies from '#domain/policies/shape.ts';
import * as products from '#domain/products/shape.ts';
import * as projects from '#domain/projects/shape.ts';
import * as reports from '#domain/reports/shape.ts';
import * as reviewComments from '#domain/review-comments/shape.ts';
import * as rules from '#domain/rules/shape.ts';
import * as sboms from '#domain/sboms/shape.ts';
import * as scans from '#domain/scans/shape.ts';
import * as codeHosts from '#domain/scm/hosts/host-shape.ts';
import * as scm from '#domain/scm/scm-shape.ts';
import * as slack from '#domain/slack/slack-shape.ts';
import * as sso from '#domain/sso/sso-shape.ts';
import * as storage from '#domain/storage/storage-shape.ts';
import * as tasks from '#domain/tasks/shape.ts';
import * as teams from '#domain/teams/shape.ts';
import * as ticketing from '#domain/ticketing/ticketing-shape.ts';
import * as trackers from '#domain/ticketing/trackers/tracker-shape.ts';
import * as bundleFaults from '#domain/unified-policies/fault-shape.ts';
import * as unifiedPolicies from '#domain/unified-policies/shape.ts';
import * as workflowIssues from '#domain/workflow-issues/shape.ts';
import * as deploymentUsers from '#services/deployments/user-shape.ts';
import * as issuesExport from '#services/issues/export/shape.ts';
import * as issuesListDependency from '#services/issues/list/dependency-shape.ts';
import * as issuesListFilter from '#services/issues/list/filter-shape.ts';
import * as issuesList from '#services/issues/list/shape.ts';
import * as issuesViews from '#services/issues/views/shape.ts';
import * as serviceProjects from '#services/projects/shape.ts';
import * as scannerStart from '#services/scanner/start-shape.ts';
import * as scim from '#services/scim/scim-shape.ts';
import * as sessionShapes from '#services/sessions/session-shape.ts';

/** The modules whose exported shapes have a name in the API description, beside the contracts of the rooms. */
export const shapes: readonly object[] = [
  accounts,
  automations,
  deliveries,
  notificationRules,
  notificationWebhooks,
  dependencies,
  deployments,
  findings,
  invitations,
  mailing,
  notifications,
  policies,
  products,
  projects,
  reports,
  reviewComments,
  rules,
  sboms,
  scans,
  tasks,
  teams,
  codeHosts,
  scm,
  slack,
  sso,
  storage,
  ticketing,
  trackers,
  bundleFaults,
  unifiedPolicies,
  workflowIssues,
  deploymentUsers,
  issuesExport,
  issuesListDependency,
  issuesListFilter,
  issuesList,
  issuesViews,
  serviceProjects,
  scannerStart,
  scim,
  sessionShapes,
];
