import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/org/org.ts';

/** A link to the list of findings that a filter stands for. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  return <Link to="/o/$slug/findings" params={{ slug: useOrg().slug }} search={{ q }} preload={false} {...rest} />;
}
