import type * as auditContract from '#services/audit/contract.ts';
import type * as automationContract from '#services/automations/contract.ts';
import type * as checklistContract from '#services/checklist/contract.ts';
import type * as demoContract from '#services/demo/contract.ts';
import type * as productContract from '#services/deployment-products/contract.ts';
import type * as ssoContract from '#services/deployment-sso-providers/contract.ts';
import type * as tagContract from '#services/deployment-tag/contract.ts';
import type * as deploymentContract from '#services/deployments/contract.ts';
import type * as filterHelpContract from '#services/filter-help/contract.ts';
import type * as importContract from '#services/imports/contract.ts';
import type * as inboxContract from '#services/inbox/contract.ts';
import type * as issueBulkContract from '#services/issues/bulk-contract.ts';
import type * as issueContract from '#services/issues/contract.ts';
import type * as issueEvidenceContract from '#services/issues/evidence-contract.ts';
import type * as mixedIssueContract from '#services/issues/mixed-contract.ts';
import type * as issueViewContract from '#services/issues/views-contract.ts';
import type * as notificationContract from '#services/notifications/contract.ts';
import type * as partnerContract from '#services/partner-credential/contract.ts';
import type * as policyContract from '#services/policies/contract.ts';
import type * as projectContract from '#services/projects/contract.ts';
import type * as publicIssueContract from '#services/public-issues/contract.ts';
import type * as registryContract from '#services/registry/contract.ts';
import type * as reportContract from '#services/reports/contract.ts';
import type * as ruleboardContract from '#services/ruleboard/contract.ts';
import type * as scanContract from '#services/scans/contract.ts';
import type * as sessionContract from '#services/sessions/contract.ts';
import type * as supplyChainContract from '#services/supply-chain-2/contract.ts';
import type * as systemContract from '#services/system/contract.ts';
import type * as taskContract from '#services/tasks/contract.ts';
import type * as teamContract from '#services/teams/contract.ts';
import type * as tokenContract from '#services/token/contract.ts';
import type * as userContract from '#services/users/contract.ts';
import { service } from './client.ts';

export const audit = service<typeof auditContract>('AuditService');
export const automations = service<typeof automationContract>('AutomationsService');
export const checklist = service<typeof checklistContract>('ChecklistService');
export const demos = service<typeof demoContract>('DemoService');
export const deployments = service<typeof deploymentContract>('DeploymentService');
export const filterHelp = service<typeof filterHelpContract>('FilterHelpService');
export const imports = service<typeof importContract>('ImportsService');
export const inbox = service<typeof inboxContract>('InboxService');
export const issues = service<
  typeof issueContract &
    typeof issueBulkContract &
    typeof issueEvidenceContract &
    typeof mixedIssueContract &
    typeof issueViewContract
>('IssuesService');
export const notifications = service<typeof notificationContract>('NotificationsService');
export const partner = service<typeof partnerContract>('PartnerCredentialService');
export const policies = service<typeof policyContract>('PoliciesService');
export const products = service<typeof productContract>('DeploymentProductsService');
export const projects = service<typeof projectContract>('ProjectsService');
export const publicIssues = service<typeof publicIssueContract>('PublicIssuesService');
export const registry = service<typeof registryContract>('RegistryService');
export const reports = service<typeof reportContract>('ReportsService');
export const ruleboards = service<typeof ruleboardContract>('RuleboardService');
export const scans = service<typeof scanContract>('ScansService');
export const sessions = service<typeof sessionContract>('SessionsService');
export const sso = service<typeof ssoContract>('DeploymentSsoProvidersService');
export const supplyChain = service<typeof supplyChainContract>('SupplyChain2Service');
export const system = service<typeof systemContract>('SystemService');
export const tags = service<typeof tagContract>('DeploymentTagService');
export const tasks = service<typeof taskContract>('TasksService');
export const teams = service<typeof teamContract>('TeamsService');
export const tokens = service<typeof tokenContract>('TokenService');
export const users = service<typeof userContract>('UsersService');
