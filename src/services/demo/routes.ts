import { createDemoDeployment } from '#domain/demo/create-demo.ts';
import { enqueueDemoLoad } from '#domain/demo/jobs.ts';
import * as store from '#domain/demo/store.ts';
import { MAX_DEPLOYMENTS } from '#domain/deployments/shape.ts';
import * as deployments from '#domain/deployments/store.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';

const STATES = { loading: 'LOADING', ready: 'READY', failed: 'FAILED' } as const;

const percentOf = ({ state, done, total }: store.Demo): number =>
  state === 'ready' ? 100 : total === 0 ? 0 : Math.min(99, Math.floor((100 * done) / total));

/** DemoService: a deployment that is made up, to look around in. */
export const demo = group('DemoService', contract, {
  createDemo: async ({ tx, caller, services, now, answer }) => {
    // Holds the person, so that of two requests at once the second finds what the first has made.
    const founded = await deployments.lockCreatorAndCount(tx, caller.userId);
    const known = await store.findByCreator(tx, caller.userId);
    if (!known && founded >= MAX_DEPLOYMENTS) throw contract.DEMO_QUOTA({ most: MAX_DEPLOYMENTS });
    const made =
      known ?? (await createDemoDeployment(tx, services.keys, { account: caller.userId, size: 'small', now }));
    if (made.state !== 'ready') await enqueueDemoLoad(tx, made.deployment);
    answer.recordEffect({ object: `deployment/${made.deployment}`, after: { demo: made.size, isNew: !known } });
    return {
      deploymentId: made.deployment as Id<'Deployment'>,
      slug: made.slug,
      state: made.state === 'ready' ? 'READY' : 'LOADING',
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
