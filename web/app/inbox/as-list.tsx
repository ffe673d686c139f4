import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/org/org.ts';
import { FindingsLink } from '#web/parts/findings-link.tsx';
import { type TabName, tabsQuery } from './queries.ts';
import { countText } from './tabs.ts';

/** The findings of a tab as a list, with its columns, facets and ways to decide about many. */
export function AsList({ of }: { of: TabName }) {
  const { q, issueCount } = useQuery(tabsQuery(useOrg().id)).data?.find(({ tab }) => tab === of) ?? {};
  if (q === undefined || issueCount === undefined) return null;
  return (
    <p className="inbox-as-list">
      <FindingsLink q={q}>{`Show ${countText(issueCount)} as a list`}</FindingsLink>
    </p>
  );
}
