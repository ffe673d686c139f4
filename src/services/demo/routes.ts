import { createDemoDeployment } from '#domain/demo/create-demo.ts';
import { enqueueDemoLoad } from '#domain/demo/jobs.ts';
import * as store from '#domain/demo/store.ts';
import { DEPLOYMENTS_RESTRICTED } from '#domain/deployments/shape.ts';
import * as deployments from '#domain/deployments/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const STATES = { loading: 'LOADING', ready: 'READY', failed: 'FAILED' } as const;

const percentOf = ({ state, done, total }: store.Demo): number =>
  state === 'ready' ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));

/** DemoService: a deployment with generated content. */
export const demo = group('DemoService', contract, {
  createDemo: async ({ tx, caller, services, now, answer }) => {
    // Locks the account, so that of two concurrent requests the second finds the demo of the first.
    const perPerson = services.deploymentsPerPerson;
    const { created, most } = await deployments.lockCreator(tx, caller.userId, { perPerson });
    const existing = await store.findByCreator(tx, caller.userId);
    if (!existing && most === 0) throw DEPLOYMENTS_RESTRICTED();
    if (!existing && created >= most) throw contract.DEMO_QUOTA({ most });
    const found =
      existing ?? (await createDemoDeployment(tx, services.keys, { account: caller.userId, size: 'small', now }));
    if (found.state !== 'ready') await enqueueDemoLoad(tx, found.deployment);
    answer.recordEffect({ object: `deployment/${found.deployment}`, after: { demo: found.size, isNew: !existing } });
    return {
      deploymentId: found.deployment as Id<'Deployment'>,
      slug: found.slug,
      state: found.state === 'ready' ? 'READY' : 'LOADING',
    };
  },

  getDemo: async ({ path, tx }) => {
    const found = await store.find(tx, path.deploymentId);
    if (!found) throw contract.NOT_A_DEMO();
    return {
      deploymentId: path.deploymentId,
      slug: found.slug,
      isDemo: true,
      state: STATES[found.state],
      progress: percentOf(found),
      findings: await store.countFindings(tx, path.deploymentId),
    };
  },

  deleteDemo: async ({ path, tx, answer }) => {
    if (!(await store.remove(tx, path.deploymentId))) throw contract.NOT_A_DEMO();
    answer.recordEffect({ object: `deployment/${path.deploymentId}`, before: { isDemo: true } });
    return {};
  },
});
