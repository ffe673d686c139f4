import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/org/org.ts';

/** Findings of scanners, or what Agentic Workflows found: two parts of the API, one shape of list. */
export function TypeSwitch({ type }: { type?: 'workflow' }) {
  const { slug } = useOrg();
  const common = { to: '/o/$slug/findings', params: { slug }, className: 'findings-type' } as const;
  // Where the address is more than the link, it is not the link that says which one is shown.
  const activeOptions = { includeSearch: true, exact: true };
  return (
    <nav aria-label="Where findings come from" className="findings-types no-print">
      <Link {...common} activeOptions={activeOptions} aria-current={type ? undefined : 'page'}>
        Scanners
      </Link>
      <Link
        {...common}
        search={{ type: 'workflow' }}
        activeOptions={activeOptions}
        aria-current={type ? 'page' : undefined}
      >
        Workflows
      </Link>
    </nav>
  );
}
