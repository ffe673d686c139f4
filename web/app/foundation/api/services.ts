import type * as auditContract from '#services/audit/contract.ts';
import type * as automationRunContract from '#services/automation-runs/contract.ts';
import type * as automationContract from '#services/automations/contract.ts';
import type * as checklistContract from '#services/checklist/contract.ts';
import type * as deliveryContract from '#services/deliveries/contract.ts';
import type * as demoContract from '#services/demo/contract.ts';
import type * as productContract from '#services/deployment-products/contract.ts';
import type * as ssoContract from '#services/deployment-sso-providers/contract.ts';
import type * as ssoSettingContract from '#services/deployment-sso-providers/settings-contract.ts';
import type * as tagContract from '#services/deployment-tag/contract.ts';
import type * as deploymentContract from '#services/deployments/contract.ts';
import type * as editorContract from '#services/editor/contract.ts';
import type * as filterHelpContract from '#services/filter-help/contract.ts';
import type * as importContract from '#services/imports/contract.ts';
import type * as inboxContract from '#services/inbox/contract.ts';
import type * as invitationContract from '#services/invitations/contract.ts';
import type * as issueAggregateContract from '#services/issues/aggregates/contract.ts';
import type * as mixedIssueContract from '#services/issues/all-findings/contract.ts';
import type * as issueBulkContract from '#services/issues/bulk/contract.ts';
import type * as issueCommentContract from '#services/issues/comments/contract.ts';
import type * as issueEvidenceContract from '#services/issues/evidence/contract.ts';
import type * as issueExportContract from '#services/issues/export/contract.ts';
import type * as issueContract from '#services/issues/list/contract.ts';
import type * as ticketContract from '#services/issues/tickets/contract.ts';
import type * as issueViewContract from '#services/issues/views/contract.ts';
import type * as keylessCiContract from '#services/keyless-ci/contract.ts';
import type * as notificationSettingContract from '#services/notification-settings/contract.ts';
import type * as webhookContract from '#services/notification-webhooks/contract.ts';
import type * as notificationContract from '#services/notifications/contract.ts';
import type * as partnerContract from '#services/partner-credential/contract.ts';
import type * as policyContract from '#services/policies/contract.ts';
import type * as unifiedPolicyContract from '#services/policies-v2/contract.ts';
import type * as projectContract from '#services/projects/contract.ts';
import type * as publicIssueContract from '#services/public-issues/contract.ts';
import type * as registryContract from '#services/registry/contract.ts';
import type * as reportContract from '#services/reports/contract.ts';
import type * as ruleboardContract from '#services/ruleboard/contract.ts';
import type * as savedViewContract from '#services/saved-views/contract.ts';
import type * as scanContract from '#services/scans/contract.ts';
import type * as scimSettingsContract from '#services/scim/settings-contract.ts';
import type * as secondFactorContract from '#services/second-factor/contract.ts';
import type * as accountContract from '#services/sessions/account-contract.ts';
import type * as sessionContract from '#services/sessions/contract.ts';
import type * as singleSignOnContract from '#services/sessions/sso-contract.ts';
import type * as slackContract from '#services/slack/contract.ts';
import type * as storageContract from '#services/storage-credentials/contract.ts';
import type * as supplyChainContract from '#services/supply-chain/v2/contract.ts';
import type * as systemContract from '#services/system/contract.ts';
import type * as taskContract from '#services/tasks/contract.ts';
import type * as teamContract from '#services/teams/contract.ts';
import type * as tokenContract from '#services/token/contract.ts';
import type * as userContract from '#services/users/contract.ts';
import { serviceClient } from './client.ts';

export const audit = serviceClient<typeof auditContract>('AuditService');
export const automations = serviceClient<typeof automationContract>('AutomationsService');
export const automationRuns = serviceClient<typeof automationRunContract>('AutomationRunsService');
export const checklist = serviceClient<typeof checklistContract>('ChecklistService');
export const deliveries = serviceClient<typeof deliveryContract>('DeliveriesService');
export const demos = serviceClient<typeof demoContract>('DemoService');
export const deployments = serviceClient<typeof deploymentContract>('DeploymentService');
export const editor = serviceClient<typeof editorContract>('EditorService');
export const filterHelp = serviceClient<typeof filterHelpContract>('FilterHelpService');
export const imports = serviceClient<typeof importContract>('ImportsService');
export const inbox = serviceClient<typeof inboxContract>('InboxService');
export const invitations = serviceClient<typeof invitationContract>('InvitationsService');
export const scimSettings = serviceClient<typeof scimSettingsContract>('ScimSettingsService');
export const keylessCi = serviceClient<typeof keylessCiContract>('KeylessCiService');
export const issues = serviceClient<
  typeof issueContract &
    typeof issueAggregateContract &
    typeof issueExportContract &
    typeof issueBulkContract &
    typeof issueCommentContract &
    typeof issueEvidenceContract &
    typeof mixedIssueContract &
    typeof issueViewContract
>('IssuesService');
export const notifications = serviceClient<typeof notificationContract>('NotificationsService');
export const notificationSettings = serviceClient<typeof notificationSettingContract>('NotificationSettingsService');
export const partner = serviceClient<typeof partnerContract>('PartnerCredentialService');
export const policies = serviceClient<typeof policyContract>('PoliciesService');
export const products = serviceClient<typeof productContract>('DeploymentProductsService');
export const projects = serviceClient<typeof projectContract>('ProjectsService');
export const publicIssues = serviceClient<typeof publicIssueContract>('PublicIssuesService');
export const registry = serviceClient<typeof registryContract>('RegistryService');
export const reports = serviceClient<typeof reportContract>('ReportsService');
export const savedViews = serviceClient<typeof savedViewContract>('SavedViewsService');
export const ruleboards = serviceClient<typeof ruleboardContract>('RuleboardService');
export const scans = serviceClient<typeof scanContract>('ScansService');
export const account = serviceClient<typeof accountContract>('AccountService');
export const secondFactor = serviceClient<typeof secondFactorContract>('SecondFactorService');
export const sessions = serviceClient<typeof sessionContract>('SessionsService');
export const singleSignOn = serviceClient<typeof singleSignOnContract>('SingleSignOnService');
export const slack = serviceClient<typeof slackContract>('SlackService');
export const sso = serviceClient<typeof ssoContract>('DeploymentSsoProvidersService');
export const ssoSettings = serviceClient<typeof ssoSettingContract>('SsoSettingsService');
export const storageCredentials = serviceClient<typeof storageContract>('StorageCredentialsService');
export const supplyChain = serviceClient<typeof supplyChainContract>('SupplyChain2Service');
export const system = serviceClient<typeof systemContract>('SystemService');
export const tags = serviceClient<typeof tagContract>('DeploymentTagService');
export const tasks = serviceClient<typeof taskContract>('TasksService');
export const teams = serviceClient<typeof teamContract>('TeamsService');
export const ticketing = serviceClient<typeof ticketContract>('ExternalTicketingService');
export const tokens = serviceClient<typeof tokenContract>('TokenService');
export const unifiedPolicies = serviceClient<typeof unifiedPolicyContract>('PoliciesV2Service');
export const users = serviceClient<typeof userContract>('UsersService');
export const webhooks = serviceClient<typeof webhookContract>('NotificationWebhooksService');
