import type { Tx } from '#kernel/db/tx.ts';
import { type FeatureRollout, listAvailableFeatureRollouts } from './contract.ts';

const { element } = listAvailableFeatureRollouts.reply.shape.features;

/** The id of a flag is its name. */
export const list = (tx: Tx, deployment: string): Promise<FeatureRollout[]> =>
  tx.all(element)`
    select name as id, name, expires_at is null or expires_at > now() as rolled_out, rolled_out_at
    from feature_flag where deployment_id = ${deployment} order by name`;
