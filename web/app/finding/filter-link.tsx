import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Key } from '#domain/query/keys.ts';
import { termText } from '#domain/query/write.ts';
import { useOrg } from '#web/org/org.ts';

/** A term of the filter bar for one exact value, quoted where it must be. */
export const termOf = (key: Key, value: string): string =>
  termText({ key, isNot: false, values: [{ kind: 'exact', value }] });

interface FilterLinkProps {
  /** The text of the filter whose list it leads to. */
  q: string;
  children: ReactNode;
}

/** A number or a name that leads to the findings behind it. */
export function FilterLink({ q, children }: FilterLinkProps) {
  const { slug } = useOrg();
  return (
    <Link to="/o/$slug/findings" params={{ slug }} search={{ q }} title={q}>
      {children}
    </Link>
  );
}
