import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/org/org.ts';
import { ofScanners } from './of-scanners.ts';

/** A number or a name that leads to what scanners found of it; its title is their filter. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  const { slug } = useOrg();
  const search = { q: ofScanners(q) };
  return <Link to="/o/$slug/findings" params={{ slug }} search={search} preload={false} title={q} {...rest} />;
}
