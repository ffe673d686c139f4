import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/org/org.ts';

/** A number or a name that leads to the findings behind it; its title is their filter. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  const { slug } = useOrg();
  return <Link to="/o/$slug/findings" params={{ slug }} search={{ q }} preload={false} title={q} {...rest} />;
}
