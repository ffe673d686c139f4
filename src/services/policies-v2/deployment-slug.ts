import { z } from 'zod';
import type { Call } from '#kernel/http/pipeline/group.ts';

const SlugOfDeployment = z.object({ slug: z.string() });

export async function slugOfDeployment({ tx, caller }: Pick<Call, 'tx' | 'caller'>): Promise<string> {
  const row = await tx.one(SlugOfDeployment)`select slug from deployment where id = ${caller.deployment}`;
  return row?.slug ?? '';
}
