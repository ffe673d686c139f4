import { z } from 'zod';
import { oneOf } from '#kernel/contract/proto-fields.ts';

export const SCM_PROVIDERS = [
  'github',
  'gitlab',
  'gitea',
  'bitbucket',
  'bitbucket_datacenter',
  'azure_devops',
] as const;
/** The product that runs a code host. */
export const ScmProvider = oneOf(SCM_PROVIDERS);
export type ScmProvider = z.output<typeof ScmProvider>;

/** What a credential may do at its host. False also means that the host does not tell. */
export const TokenScopes = z.object({
  readMetadata: z.boolean(),
  readPullRequest: z.boolean(),
  writePullRequestComment: z.boolean(),
  readContents: z.boolean(),
  readMembers: z.boolean(),
  manageWebhooks: z.boolean(),
  writeContents: z.boolean(),
  writePullRequest: z.boolean(),
});
export type TokenScopes = z.output<typeof TokenScopes>;

export const withoutScopes: TokenScopes = {
  ...{ readMetadata: false, readPullRequest: false, writePullRequestComment: false, readContents: false },
  ...{ readMembers: false, manageWebhooks: false, writeContents: false, writePullRequest: false },
};
