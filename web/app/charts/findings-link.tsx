import { Link } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';
import { useOrg } from '#web/org/org.ts';
import { ofScanners } from './of-scanners.ts';

/** A link from a number of what scanners found to the list that it counts. */
export function FindingsLink({ q, ...rest }: { q: string } & Omit<ComponentPropsWithRef<'a'>, 'href' | 'target'>) {
  const search = { q: ofScanners(q) };
  return <Link to="/o/$slug/findings" params={{ slug: useOrg().slug }} search={search} preload={false} {...rest} />;
}
