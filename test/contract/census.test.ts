import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import type { Operation } from '#kernel/contract/operation.ts';
import { type OpenapiPaths, openapiDocument, operations } from '#test/support/http/operations.ts';
import { routerOf } from '../../src/server/assemble.ts';

/** Lists that change only on purpose: an added or removed operation shows in the diff of this file. */

const idsOf = (is: (operation: Operation) => boolean | undefined) =>
  operations
    .filter(({ bound }) => is(bound.operation))
    .map(({ id }) => id)
    .sort();

describe('exactly these operations', () => {
  test('are public: they need no credential', () => {
    assert.deepEqual(
      idsOf(({ allow }) => allow === 'public'),
      [
        'AccountService_CompletePasswordReset',
        'AccountService_RequestPasswordReset',
        'CliLoginService_CollectToken',
        'KeylessCiService_ExchangeCiToken',
        'MiscService_GetPing',
        'MiscService_GetTenant',
        'MiscService_HealthCheck',
        'MiscService_Ping',
        'MiscService_ReadinessCheck',
        'NotificationSettingsService_ShowUnsubscribe',
        'NotificationSettingsService_Unsubscribe',
        'RegistryService_GetConfig',
        'RegistryService_GetRule',
        'RegistryService_GetRuleset',
        'RegistryService_GetSharedRule',
        'ScannerService_CheckVersion',
        'ScannerService_ReportFailure',
        'ScmHooksService_ReceiveScmDelivery',
        'SessionsService_AcceptInvitation',
        'SessionsService_CreateSession',
        'SessionsService_RefreshSession',
        'SessionsService_SetUp',
        'SingleSignOnService_CompleteSignIn',
        'SingleSignOnService_EndProviderSessions',
        'SingleSignOnService_ListSignInWays',
        'SingleSignOnService_StartSignIn',
        'TasksService_DownloadTaskResult',
      ],
    );
  });

  test('need a credential but no permission', () => {
    assert.deepEqual(
      idsOf(({ allow }) => allow === 'self'),
      [
        'AccountService_ChangePassword',
        'AccountService_EndOtherSessions',
        'AccountService_EndSession',
        'AccountService_ListSessions',
        'ChecklistService_PatchChecklist',
        'DemoService_CreateDemo',
        'DeploymentService_CreateDeployment',
        'DeploymentService_GetDeploymentByToken',
        'DeploymentsService_ListDeployments',
        'FeatureRolloutsService_ListAvailableFeatureRollouts',
        'MiscService_GetIdentity',
        'MiscService_GetIp',
        'SecondFactorService_BeginSecondFactor',
        'SecondFactorService_ConfirmSecondFactor',
        'SecondFactorService_GetSecondFactor',
        'SecondFactorService_RemoveSecondFactor',
        'SecondFactorService_RenewRecoveryCodes',
        'SessionsService_DeleteSession',
        'SurveysService_CreateSurveyResponse',
        'SurveysService_GetSurveyResponse',
        'TasksService_GetTaskResult',
        'UsersService_GetUser',
        'UsersService_GetUserSettings',
        'UsersService_LeaveDeployment',
        'UsersService_ListUserAuthorizedResources',
        'UsersService_ListUserJoinableOrgs',
        'UsersService_ListUserOrgs',
        'UsersService_PatchUserSettings',
        'V1DeploymentsService_ListDeployments',
      ],
    );
  });

  test('accept only the JWT of a signed-in user', () => {
    assert.deepEqual(
      idsOf(({ credential }) => credential === 'user'),
      [
        'AccountService_ChangePassword',
        'AccountService_EndOtherSessions',
        'AccountService_EndSession',
        'AccountService_ListSessions',
        'ChecklistService_InviteMembers',
        'CliLoginService_ConfirmLogin',
        'DemoService_CreateDemo',
        'DemoService_DeleteDemo',
        'DeploymentService_AddDeploymentUser',
        'DeploymentService_CreateDeployment',
        'DeploymentService_GetDeploymentAuthorizedActions',
        'DeploymentService_RemoveDeploymentUser',
        'DeploymentSsoProvidersService_CreateDeploymentSsoProvider',
        'DeploymentSsoProvidersService_DeleteDeploymentSsoProvider',
        'DeploymentSsoProvidersService_TestDeploymentSsoProvider',
        'DeploymentSsoProvidersService_UpdateDeploymentSsoProvider',
        'ExternalTicketingService_CreateTicketingInstance',
        'ExternalTicketingService_DeleteTicketingInstance',
        'ExternalTicketingService_UpdateTicketingInstance',
        'IgnoresService_CreateDeploymentProductIgnores',
        'IgnoresService_DeleteDeploymentProductIgnores',
        'IgnoresService_GetDeploymentProductIgnores',
        'IgnoresService_UpdateDeploymentProductIgnores',
        'InvitationsService_DeleteInvitation',
        'InvitationsService_ListInvitations',
        'KeylessCiService_CreateCiTrust',
        'KeylessCiService_DeleteCiTrust',
        'KeylessCiService_ListCiTrusts',
        'KeylessCiService_UpdateCiTrust',
        'NotificationSettingsService_GetMailSettings',
        'NotificationSettingsService_UpdateMailSettings',
        'NotificationWebhooksService_CreateNotificationWebhook',
        'NotificationWebhooksService_DeleteNotificationWebhook',
        'NotificationWebhooksService_GetNotificationWebhook',
        'NotificationWebhooksService_ListNotificationWebhooks',
        'NotificationWebhooksService_RotateWebhookSecret',
        'NotificationWebhooksService_TestNotificationWebhook',
        'NotificationWebhooksService_UpdateNotificationWebhook',
        'PartnerCredentialService_CreatePartnerCredential',
        'PartnerCredentialService_DeletePartnerCredential',
        'PartnerCredentialService_GetPartnerCredential',
        'PartnerCredentialService_ListPartnerCredentials',
        'PartnerCredentialService_UpdatePartnerCredential',
        'PartnerCredentialService_ValidatePartnerCredential',
        'PoliciesV2Service_MigrateDeployment',
        'SavedViewsService_CreateSavedView',
        'SavedViewsService_DeleteSavedView',
        'SavedViewsService_ListSavedViews',
        'SavedViewsService_PinSavedView',
        'SavedViewsService_UpdateSavedView',
        'ScimSettingsService_CreateScimToken',
        'ScimSettingsService_DeleteScimToken',
        'ScimSettingsService_GetScimSettings',
        'ScmAppsService_CompleteScmAppRequest',
        'ScmAppsService_CreateScmAppRequest',
        'ScmAppsService_GetGitHubAppStatus',
        'ScmAppsService_GetScmApp',
        'ScmAppsService_RotateScmAppWebhookSecret',
        'SecondFactorService_BeginSecondFactor',
        'SecondFactorService_ConfirmSecondFactor',
        'SecondFactorService_GetSecondFactor',
        'SecondFactorService_RemoveSecondFactor',
        'SecondFactorService_RenewRecoveryCodes',
        'SessionsService_DeleteSession',
        'SlackService_CreateSlackChannelMapping',
        'SlackService_DeleteSlackChannelMapping',
        'SlackService_DeleteSlackInstallation',
        'SlackService_GetSlackApp',
        'SlackService_GetSlackChannelMappings',
        'SlackService_GetSlackInstallation',
        'SlackService_GetSlackNotificationMappings',
        'SlackService_HandleSlackCallback',
        'SlackService_InstallSlackApp',
        'SlackService_ListSlackConversations',
        'SlackService_SetSlackApp',
        'SlackService_TestSlackChannelMapping',
        'SsoSettingsService_AddSsoDomain',
        'SsoSettingsService_DeleteSsoDomain',
        'SsoSettingsService_StartSsoTest',
        'SsoSettingsService_UpdateSsoSignIn',
        'SsoSettingsService_VerifySsoDomain',
        'StorageCredentialsService_CreateStorageCredential',
        'StorageCredentialsService_DeleteStorageCredential',
        'StorageCredentialsService_ListStorageCredentials',
        'SupportService_CreateSupportCase',
        'SupportService_ListSupportCases',
        'SurveysService_CreateSurveyResponse',
        'SurveysService_GetSurveyResponse',
        'TokenService_CreateToken',
        'TokenService_DeleteToken',
        'TokenService_ListTokens',
        'TokenService_RotateToken',
        'UsersService_GetUser',
        'UsersService_GetUserSettings',
        'UsersService_LeaveDeployment',
        'UsersService_ListUserAuthorizedResources',
        'UsersService_ListUserJoinableOrgs',
        'UsersService_ListUserOrgs',
        'UsersService_PatchUserSettings',
        'VersionsService_GetProjectVersionInfo',
      ],
    );
  });

  test('call other systems or compute for long, outside a transaction', () => {
    assert.deepEqual(
      idsOf(({ transaction }) => transaction === 'manual'),
      [
        'AccountService_ChangePassword',
        'AccountService_CompletePasswordReset',
        'AuditService_VerifyAuditTrail',
        'DeploymentSsoProvidersService_TestDeploymentSsoProvider',
        'EditorService_GetEditorEngine',
        'EditorService_RunPattern',
        'EventsService_StreamEvents',
        'ExternalTicketingService_CreateExternalTickets',
        'ExternalTicketingService_CreateTicketingInstance',
        'ExternalTicketingService_LinkTicket',
        'ExternalTicketingService_UpdateTicketingInstance',
        'ImportsService_ImportReport',
        'ImportsService_ReplayImport',
        'KeylessCiService_ExchangeCiToken',
        'NotificationRulesService_TestNotificationRule',
        'NotificationWebhooksService_TestNotificationWebhook',
        'PartnerCredentialService_ValidatePartnerCredential',
        'ScannerService_SendResults',
        'ScmAppsService_CompleteScmAppRequest',
        'ScmAppsService_RotateScmAppWebhookSecret',
        'ScmHooksService_ReceiveScmDelivery',
        'ScmService_CheckScmConfig',
        'ScmService_CreateScmConfig',
        'ScmService_DeleteScmConfig',
        'ScmService_PatchScmConfig',
        'ScmSubscriptionsService_RotateScmWebhookSecret',
        'ScmSubscriptionsService_ScmWebhookSubscriptionSubscribe',
        'ScmSubscriptionsService_ScmWebhookSubscriptionUnsubscribe',
        'SecondFactorService_BeginSecondFactor',
        'SecondFactorService_ConfirmSecondFactor',
        'SecondFactorService_RemoveSecondFactor',
        'SecondFactorService_RenewRecoveryCodes',
        'SessionsService_AcceptInvitation',
        'SessionsService_CreateSession',
        'SessionsService_SetUp',
        'SingleSignOnService_CompleteSignIn',
        'SingleSignOnService_EndProviderSessions',
        'SingleSignOnService_StartSignIn',
        'SlackService_CreateSlackChannelMapping',
        'SlackService_DeleteSlackInstallation',
        'SlackService_HandleSlackCallback',
        'SlackService_ListSlackConversations',
        'SlackService_TestSlackChannelMapping',
        'SsoSettingsService_StartSsoTest',
        'SsoSettingsService_VerifySsoDomain',
        'SystemService_GetSystemStatus',
        'SystemService_ListSystemWarnings',
        'TasksService_DownloadTaskResult',
        'TasksService_GetTaskResult',
        'TicketingService_CreateTicket',
        'TicketingService_LinkTicket',
      ],
    );
  });

  test('accept a byte stream', () => {
    assert.deepEqual(
      idsOf(({ upload }) => upload !== undefined),
      [
        'ImportsService_ImportReport',
        'ScannerService_SendResults',
        'ScmHooksService_ReceiveScmDelivery',
        'SingleSignOnService_EndProviderSessions',
      ],
    );
  });

  test('reply with something other than JSON', () => {
    assert.deepEqual(
      idsOf(({ raw }) => raw !== undefined),
      [
        'EventsService_StreamEvents',
        'NotificationSettingsService_ShowUnsubscribe',
        'NotificationSettingsService_Unsubscribe',
        'RegistryService_GetConfig',
        'RegistryService_GetRule',
        'RegistryService_GetRuleset',
        'RegistryService_GetSharedRule',
        'TasksService_DownloadTaskResult',
      ],
    );
  });

  test('use the deployment of the credential, because the request names none', () => {
    assert.deepEqual(
      idsOf(({ deployment }) => deployment.kind === 'credential'),
      [
        'EditorService_GetEditorEngine',
        'EditorService_RunPattern',
        'RegistryService_PublishRule',
        'ScannerService_CompleteScan',
        'ScannerService_FailScan',
        'ScannerService_GetCurrentDeployment',
        'ScannerService_GetEngine',
        'ScannerService_GetFallbackConfig',
        'ScannerService_GetLegacyConfig',
        'ScannerService_GetRequestedConfig',
        'ScannerService_GetRulesToScan',
        'ScannerService_RequestScan',
        'ScannerService_SendResults',
        'ScannerService_StartLegacyScan',
        'ScannerService_StartScan',
        'ScansService_GetAgentScan',
        'ScimService_CreateScimGroup',
        'ScimService_CreateScimUser',
        'ScimService_DeleteScimGroup',
        'ScimService_DeleteScimUser',
        'ScimService_GetScimGroup',
        'ScimService_GetScimResourceType',
        'ScimService_GetScimSchema',
        'ScimService_GetScimUser',
        'ScimService_GetServiceProviderConfig',
        'ScimService_ListScimGroups',
        'ScimService_ListScimResourceTypes',
        'ScimService_ListScimSchemas',
        'ScimService_ListScimUsers',
        'ScimService_PatchScimGroup',
        'ScimService_PatchScimUser',
        'ScimService_ReplaceScimGroup',
        'ScimService_ReplaceScimUser',
        'ScimService_SearchScim',
      ],
    );
  });

  test('accept tokens of scanners and identity providers, which have no Web API permission', () => {
    assert.deepEqual(
      idsOf(({ credential }) => credential === 'any-token' || credential === 'optional'),
      [
        'ImportsService_ImportReport',
        'MiscService_GetIdentity',
        'RegistryService_GetConfig',
        'RegistryService_GetRule',
        'RegistryService_GetRuleset',
        'RegistryService_GetSharedRule',
        'RegistryService_PublishRule',
        'ScannerService_CompleteScan',
        'ScannerService_FailScan',
        'ScannerService_GetCurrentDeployment',
        'ScannerService_GetEngine',
        'ScannerService_GetFallbackConfig',
        'ScannerService_GetLegacyConfig',
        'ScannerService_GetRequestedConfig',
        'ScannerService_GetRulesToScan',
        'ScannerService_RequestScan',
        'ScannerService_SendResults',
        'ScannerService_StartLegacyScan',
        'ScannerService_StartScan',
        'ScimService_CreateScimGroup',
        'ScimService_CreateScimUser',
        'ScimService_DeleteScimGroup',
        'ScimService_DeleteScimUser',
        'ScimService_GetScimGroup',
        'ScimService_GetScimResourceType',
        'ScimService_GetScimSchema',
        'ScimService_GetScimUser',
        'ScimService_GetServiceProviderConfig',
        'ScimService_ListScimGroups',
        'ScimService_ListScimResourceTypes',
        'ScimService_ListScimSchemas',
        'ScimService_ListScimUsers',
        'ScimService_PatchScimGroup',
        'ScimService_PatchScimUser',
        'ScimService_ReplaceScimGroup',
        'ScimService_ReplaceScimUser',
        'ScimService_SearchScim',
      ],
    );
  });

  test('need no database', () => {
    assert.deepEqual(
      idsOf(({ transaction }) => transaction === 'none'),
      [
        'MiscService_GetPing',
        'MiscService_GetTenant',
        'MiscService_HealthCheck',
        'MiscService_Ping',
        'ScannerService_CheckVersion',
        'ScannerService_ReportFailure',
      ],
    );
  });

  test('are not in the reference contract', () => {
    assert.deepEqual(
      idsOf(({ isExtension }) => isExtension),
      readFileSync('test/contract/extensions.txt', 'utf8').trimEnd().split('\n'),
    );
  });

  test('are deprecated', () => {
    assert.deepEqual(
      idsOf(({ deprecated }) => deprecated !== undefined),
      [
        'PoliciesService_ListPolicies',
        'PoliciesService_ListPoliciesV1',
        'PoliciesService_ListPolicyRules',
        'PoliciesService_ListPolicyRulesV1',
        'PoliciesService_UpdatePolicyRule',
        'PoliciesService_UpdatePolicyV1',
      ],
    );
  });
});

describe('the OpenAPI document, the router and the rooms (AZN-02)', () => {
  const committed = JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: OpenapiPaths };
  const inDocument = ({ paths }: { paths: OpenapiPaths }) =>
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { security }]) => {
        const schemes = security.flatMap((one) => Object.keys(one));
        return `${method.toUpperCase()} ${path} ${schemes.join(' ')}`.trim();
      }),
    );
  const schemesOf = ({ allow, credential }: Operation) => {
    if (allow === 'public') return '';
    return credential === 'user' ? ' ServiceJWT' : ' ServiceWebToken ServiceJWT';
  };
  const lineOf = (operation: Operation) =>
    `${operation.method} ${operation.template.replace('...}', '}')}${schemesOf(operation)}`;

  test('list the same routes, methods and security schemes', () => {
    const inRooms = operations.map(({ bound }) => lineOf(bound.operation)).sort();
    const inRouter = routerOf()
      .routes()
      .map(({ target }) => lineOf(target.operation))
      .sort();
    assert.deepEqual(inDocument(committed).sort(), inRooms);
    assert.deepEqual(inRouter, inRooms);
  });

  test('name every operation once', () => {
    const ids = operations.map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
  });

  test('the committed OpenAPI document equals the derived one', () => {
    assert.deepEqual(committed, JSON.parse(JSON.stringify(openapiDocument)), 'run npm run derive');
  });
});
