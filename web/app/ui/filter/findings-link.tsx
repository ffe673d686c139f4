import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { excludeWorkflowIssues } from './exclude-workflow-issues.ts';

/** Links a number or a name to the list of scanner findings for a filter. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  const { slug } = useOrg();
  const search = { q: excludeWorkflowIssues(q) };
  return <Link to="/o/$slug/findings" params={{ slug }} search={search} preload={false} title={q} {...rest} />;
}
