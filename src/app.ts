import type { Room } from '#kernel/http/openapi/example-calls.ts';
import { examples as auditExamples } from '#services/audit/examples.ts';
import { audit } from '#services/audit/routes.ts';
import { examples as automationRunExamples } from '#services/automation-runs/examples.ts';
import { automationRuns } from '#services/automation-runs/routes.ts';
import { examples as automationExamples } from '#services/automations/examples.ts';
import { automations } from '#services/automations/routes.ts';
import { examples as checklistExamples } from '#services/checklist/examples.ts';
import { checklist } from '#services/checklist/routes.ts';
import { examples as cliLoginExamples } from '#services/cli-login/examples.ts';
import { cliLogin } from '#services/cli-login/routes.ts';
import { examples as deliveryExamples } from '#services/deliveries/examples.ts';
import { deliveries } from '#services/deliveries/routes.ts';
import { examples as demoExamples } from '#services/demo/examples.ts';
import { demo } from '#services/demo/routes.ts';
import { examples as productExamples } from '#services/deployment-products/examples.ts';
import { deploymentProducts } from '#services/deployment-products/routes.ts';
import { examples as ssoExamples } from '#services/deployment-sso-providers/examples.ts';
import { sso } from '#services/deployment-sso-providers/routes.ts';
import { settingsExamples as ssoSettingsExamples } from '#services/deployment-sso-providers/settings-examples.ts';
import { ssoSettings } from '#services/deployment-sso-providers/settings-routes.ts';
import { examples as deploymentTagExamples } from '#services/deployment-tag/examples.ts';
import { deploymentTags } from '#services/deployment-tag/routes.ts';
import { examples as deploymentExamples } from '#services/deployments/examples.ts';
import { examples as deploymentListExamples } from '#services/deployments/list-examples.ts';
import { deploymentListGroup, v1DeploymentListGroup } from '#services/deployments/list-routes.ts';
import { deploymentGroup } from '#services/deployments/routes.ts';
import { examples as editorExamples } from '#services/editor/examples.ts';
import { editor } from '#services/editor/routes.ts';
import { examples as eventExamples } from '#services/events/examples.ts';
import { events } from '#services/events/routes.ts';
import { examples as featureRolloutExamples } from '#services/feature-rollouts/examples.ts';
import { featureRollouts } from '#services/feature-rollouts/routes.ts';
import { examples as filterHelpExamples } from '#services/filter-help/examples.ts';
import { filterHelp } from '#services/filter-help/routes.ts';
import {
  examples as findingExamples,
  secretsExamples,
  ticketExamples as v1TicketExamples,
  triageExamples as v1TriageExamples,
} from '#services/findings-v1/examples.ts';
import { v1Findings } from '#services/findings-v1/routes.ts';
import { v1Secrets } from '#services/findings-v1/secrets-routes.ts';
import { v1Ticketing } from '#services/findings-v1/ticket-routes.ts';
import { v1Triage } from '#services/findings-v1/triage-routes.ts';
import { examples as ignoreExamples } from '#services/ignores/examples.ts';
import { ignores } from '#services/ignores/routes.ts';
import { examples as importExamples } from '#services/imports/examples.ts';
import { imports } from '#services/imports/routes.ts';
import { examples as inboxExamples } from '#services/inbox/examples.ts';
import { inbox } from '#services/inbox/routes.ts';
import { examples as invitationExamples } from '#services/invitations/examples.ts';
import { invitations } from '#services/invitations/routes.ts';
import { examples as issueExamples } from '#services/issues/examples.ts';
import { issues } from '#services/issues/routes.ts';
import { ticketExamples } from '#services/issues/tickets/examples.ts';
import { externalTicketing } from '#services/issues/tickets/routes.ts';
import { examples as keylessCiExamples } from '#services/keyless-ci/examples.ts';
import { keylessCi } from '#services/keyless-ci/routes.ts';
import { examples as miscExamples } from '#services/misc/examples.ts';
import { misc } from '#services/misc/routes.ts';
import { examples as notificationRuleExamples } from '#services/notification-rules/examples.ts';
import { notificationRules } from '#services/notification-rules/routes.ts';
import { examples as notificationSettingExamples } from '#services/notification-settings/examples.ts';
import { notificationSettings } from '#services/notification-settings/routes.ts';
import { examples as notificationWebhookExamples } from '#services/notification-webhooks/examples.ts';
import { notificationWebhooks } from '#services/notification-webhooks/routes.ts';
import { examples as notificationExamples } from '#services/notifications/examples.ts';
import { notifications } from '#services/notifications/routes.ts';
import { examples as partnerExamples } from '#services/partner-credential/examples.ts';
import { partner } from '#services/partner-credential/routes.ts';
import { examples as policyExamples } from '#services/policies/examples.ts';
import { policies } from '#services/policies/routes.ts';
import { examples as policyV2Examples } from '#services/policies-v2/examples.ts';
import { policiesV2 } from '#services/policies-v2/routes.ts';
import { examples as projectExamples } from '#services/projects/examples.ts';
import { projects } from '#services/projects/routes.ts';
import { v1Examples as v1ProjectExamples } from '#services/projects/v1-examples.ts';
import { v1Projects } from '#services/projects/v1-routes.ts';
import { examples as publicIssueExamples } from '#services/public-issues/examples.ts';
import { publicIssues } from '#services/public-issues/routes.ts';
import { examples as registryExamples } from '#services/registry/examples.ts';
import { registry } from '#services/registry/routes.ts';
import { examples as reportExamples } from '#services/reports/examples.ts';
import { reports } from '#services/reports/routes.ts';
import { examples as reviewCommentExamples } from '#services/review-comment-product-content/examples.ts';
import { reviewCommentProductContent } from '#services/review-comment-product-content/routes.ts';
import { examples as ruleboardExamples } from '#services/ruleboard/examples.ts';
import { ruleboard } from '#services/ruleboard/routes.ts';
import { examples as savedViewExamples } from '#services/saved-views/examples.ts';
import { savedViews } from '#services/saved-views/routes.ts';
import { examples as scannerExamples } from '#services/scanner/examples.ts';
import { scanner } from '#services/scanner/routes.ts';
import { examples as scanExamples, v1Examples as v1ScanExamples } from '#services/scans/examples.ts';
import { scans } from '#services/scans/routes.ts';
import { v1Scans } from '#services/scans/v1-routes.ts';
import { examples as scimExamples, settingsExamples as scimSettingsExamples } from '#services/scim/examples.ts';
import { scim } from '#services/scim/routes.ts';
import { scimSettings } from '#services/scim/settings-routes.ts';
import { examples as scmExamples } from '#services/scm/examples.ts';
import { scm } from '#services/scm/routes.ts';
import { examples as scmAppExamples } from '#services/scm-apps/examples.ts';
import { scmApps } from '#services/scm-apps/routes.ts';
import { examples as scmHookExamples } from '#services/scm-hooks/examples.ts';
import { scmHooks } from '#services/scm-hooks/routes.ts';
import { examples as scmSubscriptionExamples } from '#services/scm-subscriptions/examples.ts';
import { scmSubscriptions } from '#services/scm-subscriptions/routes.ts';
import { examples as secondFactorExamples } from '#services/second-factor/examples.ts';
import { secondFactorGroup } from '#services/second-factor/routes.ts';
import { accountExamples } from '#services/sessions/account-examples.ts';
import { accountGroup } from '#services/sessions/account-routes.ts';
import { examples as sessionExamples } from '#services/sessions/examples.ts';
import { sessionGroup } from '#services/sessions/routes.ts';
import { ssoExamples as singleSignOnExamples } from '#services/sessions/sso-examples.ts';
import { singleSignOn } from '#services/sessions/sso-routes.ts';
import { examples as slackExamples } from '#services/slack/examples.ts';
import { slack } from '#services/slack/routes.ts';
import { examples as storageExamples } from '#services/storage-credentials/examples.ts';
import { storageCredentials } from '#services/storage-credentials/routes.ts';
import { examples as supplyChainExamples } from '#services/supply-chain/v1/examples.ts';
import { supplyChainV1 } from '#services/supply-chain/v1/routes.ts';
import { examples as supplyChain2Examples } from '#services/supply-chain/v2/examples.ts';
import { supplyChainV2 } from '#services/supply-chain/v2/routes.ts';
import { examples as supportExamples } from '#services/support/examples.ts';
import { support } from '#services/support/routes.ts';
import { examples as surveyExamples } from '#services/surveys/examples.ts';
import { surveys } from '#services/surveys/routes.ts';
import { examples as systemExamples } from '#services/system/examples.ts';
import { system } from '#services/system/routes.ts';
import { examples as taskExamples } from '#services/tasks/examples.ts';
import { tasks } from '#services/tasks/routes.ts';
import { examples as teamExamples } from '#services/teams/examples.ts';
import { teams } from '#services/teams/routes.ts';
import { examples as tokenExamples } from '#services/token/examples.ts';
import { token } from '#services/token/routes.ts';
import { examples as userExamples } from '#services/users/examples.ts';
import { users } from '#services/users/routes.ts';
import { examples as versionExamples } from '#services/versions/examples.ts';
import { versions } from '#services/versions/routes.ts';

/** All service groups of the API; a group that is not listed here is not served. */
export const rooms: readonly Room[] = [
  { group: audit, examples: auditExamples, purpose: 'Who did what, and proof that the record is whole' },
  { group: automations, examples: automationExamples, purpose: 'Actions on findings when conditions hold' },
  { group: automationRuns, examples: automationRunExamples, purpose: 'What automations did, and why' },
  { group: deliveries, examples: deliveryExamples, purpose: 'What automations sent, hold back and failed to send' },
  { group: checklist, examples: checklistExamples, purpose: 'The onboarding checklist and invitations' },
  { group: cliLogin, examples: cliLoginExamples, purpose: 'Tokens for command lines, agreed to in a browser' },
  { group: demo, examples: demoExamples, purpose: 'A made-up deployment to look around in' },
  { group: deploymentProducts, examples: productExamples, purpose: 'Deployment product configurations' },
  { group: deploymentGroup, examples: deploymentExamples, purpose: 'Deployments, their switches and their users' },
  { group: deploymentListGroup, examples: deploymentListExamples, purpose: 'The deployments of a credential' },
  { group: v1DeploymentListGroup, examples: deploymentListExamples, purpose: 'The deployments of a credential, in v1' },
  { group: deploymentTags, examples: deploymentTagExamples, purpose: 'The tags of the projects of a deployment' },
  { group: editor, examples: editorExamples, purpose: 'Rules tried on code before they are used' },
  { group: events, examples: eventExamples, purpose: 'What happens in a deployment, while it happens' },
  { group: featureRollouts, examples: featureRolloutExamples, purpose: 'Feature flags rolled out to deployments' },
  { group: ignores, examples: ignoreExamples, purpose: 'Paths that scans leave out' },
  { group: filterHelp, examples: filterHelpExamples, purpose: 'Help with writing filters of findings' },
  { group: v1Findings, examples: findingExamples, purpose: 'What scans found in code and dependencies, in v1' },
  { group: v1Triage, examples: v1TriageExamples, purpose: 'Decisions about many findings at once, in v1' },
  { group: v1Secrets, examples: secretsExamples, purpose: 'Leaked credentials, in v1' },
  { group: v1Ticketing, examples: v1TicketExamples, purpose: 'Tickets of findings, in v1' },
  { group: externalTicketing, examples: ticketExamples, purpose: 'Trackers, and the tickets of findings' },
  { group: issues, examples: issueExamples, purpose: 'Findings of all products: lists, numbers and triage' },
  { group: inbox, examples: inboxExamples, purpose: 'What waits for you: issues, approvals, and what ends or fails' },
  { group: invitations, examples: invitationExamples, purpose: 'People who were invited and have not accepted' },
  { group: imports, examples: importExamples, purpose: 'Reports of any scanner' },
  { group: keylessCi, examples: keylessCiExamples, purpose: 'Scanner tokens for CI jobs, without a stored secret' },
  { group: misc, examples: miscExamples, purpose: 'Small questions of clients and load balancers' },
  { group: policies, examples: policyExamples, purpose: 'Policies as they were before Unified Policies (deprecated)' },
  { group: policiesV2, examples: policyV2Examples, purpose: 'Policies of deployments on the Unified Policies model' },
  { group: ruleboard, examples: ruleboardExamples, purpose: 'Ruleboards: sets of rules and what happens on a match' },
  { group: projects, examples: projectExamples, purpose: 'Projects: what is scanned, and how' },
  { group: v1Projects, examples: v1ProjectExamples, purpose: 'Projects by their names, in v1' },
  {
    group: publicIssues,
    examples: publicIssueExamples,
    purpose: 'Search, inspect and triage what Agentic Workflows found',
  },
  { group: registry, examples: registryExamples, purpose: 'Rules by their names, and publishing them' },
  { group: reports, examples: reportExamples, purpose: 'Reporting dashboards' },
  {
    group: reviewCommentProductContent,
    examples: reviewCommentExamples,
    purpose: 'What is written under the review comments of each product',
  },
  { group: scanner, examples: scannerExamples, purpose: 'What scanner command lines ask and send' },
  { group: scans, examples: scanExamples, purpose: 'Scans of projects' },
  { group: v1Scans, examples: v1ScanExamples, purpose: 'Scans of projects, in v1' },
  { group: scm, examples: scmExamples, purpose: 'Connections to code hosts' },
  { group: scmApps, examples: scmAppExamples, purpose: 'Apps of ours at code hosts' },
  { group: scmSubscriptions, examples: scmSubscriptionExamples, purpose: 'Webhooks at code hosts' },
  { group: scmHooks, examples: scmHookExamples, purpose: 'Where code hosts send their webhooks' },
  { group: sessionGroup, examples: sessionExamples, purpose: 'Signing in, signing out and the first set-up' },
  { group: accountGroup, examples: accountExamples, purpose: 'Your password and your sessions' },
  { group: secondFactorGroup, examples: secondFactorExamples, purpose: 'Your authenticator app and recovery codes' },
  { group: partner, examples: partnerExamples, purpose: 'Credentials for a cloud-security vendor' },
  { group: scim, examples: scimExamples, purpose: 'People and groups, provisioned by an identity provider' },
  { group: scimSettings, examples: scimSettingsExamples, purpose: 'The set-up of provisioning by SCIM' },
  { group: sso, examples: ssoExamples, purpose: 'Identity providers of a deployment' },
  { group: ssoSettings, examples: ssoSettingsExamples, purpose: 'How people sign in with identity providers' },
  { group: singleSignOn, examples: singleSignOnExamples, purpose: 'Signing in with an identity provider' },
  { group: notifications, examples: notificationExamples, purpose: 'What people are told inside of the product' },
  {
    group: notificationRules,
    examples: notificationRuleExamples,
    purpose: 'Notifications of new findings, in the older form',
  },
  {
    group: notificationWebhooks,
    examples: notificationWebhookExamples,
    purpose: 'Receivers of findings and scan events over HTTP',
  },
  {
    group: notificationSettings,
    examples: notificationSettingExamples,
    purpose: 'What people get by mail',
  },
  { group: slack, examples: slackExamples, purpose: 'Messages to Slack channels' },
  { group: savedViews, examples: savedViewExamples, purpose: 'Lists of findings under a name, shared with teams' },
  { group: storageCredentials, examples: storageExamples, purpose: 'Credentials for buckets of automations' },
  { group: supplyChainV2, examples: supplyChain2Examples, purpose: 'What projects depend on' },
  { group: supplyChainV1, examples: supplyChainExamples, purpose: 'What projects depend on, in v1' },
  { group: support, examples: supportExamples, purpose: 'Create and list support cases' },
  { group: surveys, examples: surveyExamples, purpose: 'Answers of people to surveys' },
  { group: system, examples: systemExamples, purpose: 'How the server is' },
  { group: tasks, examples: taskExamples, purpose: 'Asynchronous tasks and their results' },
  { group: teams, examples: teamExamples, purpose: 'Teams for access control within a deployment' },
  { group: token, examples: tokenExamples, purpose: 'Tokens for programmatic access' },
  { group: versions, examples: versionExamples, purpose: 'Which scanners are in use' },
  { group: users, examples: userExamples, purpose: 'User accounts, settings and memberships' },
];
