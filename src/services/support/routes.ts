import * as deployments from '#domain/deployments/store.ts';
import { notify } from '#domain/notifications/store.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** SupportService: support cases for the administrators of a deployment. */
export const support = group('SupportService', contract, {
  createSupportCase: async ({ body, tx, caller, answer }) => {
    const { organizationId, subject, description, type, priority, email = caller.email } = body;
    const { deployment } = caller;
    if (organizationId && !(await store.isOrganization(tx, deployment, organizationId)))
      throw contract.ORGANIZATION_MISMATCH();
    await deployments.lock(tx, deployment);
    if ((await store.countLastDay(tx, deployment)) >= contract.MAX_CASES_PER_DAY)
      throw contract.SUPPORT_CASE_QUOTA({ most: contract.MAX_CASES_PER_DAY });
    const id = await store.insert(tx, caller, { type, priority, subject: subject.trim(), description, email });
    await notify(tx, {
      deployment,
      isAdminOnly: true,
      severity: priority === 'PRIORITY_URGENT' ? 'SEVERITY_WARNING' : 'SEVERITY_INFO',
      title: `Support case ${id}: ${subject.trim()}`,
      description: `${caller.name} (${email}) opened a support case.`,
    });
    answer.recordEffect({ object: `support-case/${id}`, after: body });
    return {};
  },

  listSupportCases: async ({ tx, caller }) => ({
    supportCases: await store.list(tx, caller, contract.MAX_LISTED_CASES),
  }),
});
