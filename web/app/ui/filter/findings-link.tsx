import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { excludeWorkflowIssues } from './exclude-workflow-issues.ts';

interface FindingsLinkProps extends Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'> {
  q: string;
  /** Whether the number counts workflow findings too. */
  hasWorkflows?: boolean | undefined;
}

/** Links a number or a name to the list of findings for a filter; by default without those of workflows. */
export function FindingsLink({ q, hasWorkflows = false, ...rest }: FindingsLinkProps) {
  const { slug } = useOrg();
  const search = { q: hasWorkflows ? q : excludeWorkflowIssues(q) };
  return <Link to="/o/$slug/findings" params={{ slug }} search={search} preload={false} title={q} {...rest} />;
}
