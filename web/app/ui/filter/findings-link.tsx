import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { excludeWorkflowIssues } from './exclude-workflow-issues.ts';

/** A number or a name that leads to what scanners found of it; its title is their filter. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  const { slug } = useOrg();
  const search = { q: excludeWorkflowIssues(q) };
  return <Link to="/o/$slug/findings" params={{ slug }} search={search} preload={false} title={q} {...rest} />;
}
