import { nameKey } from '#domain/deployments/rules.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { TOKEN_PROJECT_LIMITED } from './shape.ts';

/** Refuses a credential that is limited to another project, whether or not there is one with this name. */
export function requireProjectName(caller: Caller, name: string): void {
  if (caller.onlyName !== undefined && nameKey(name) !== caller.onlyName)
    throw TOKEN_PROJECT_LIMITED({ project: caller.onlyName });
}
