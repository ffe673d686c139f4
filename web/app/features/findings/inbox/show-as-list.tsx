import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { countText } from './inbox-tabs.ts';
import { type InboxTabName, inboxTabsQuery } from './queries.ts';

/** Links to the findings of a tab in the list of findings. */
export function ShowAsList({ tabName }: { tabName: InboxTabName }) {
  const { q, issueCount } = useQuery(inboxTabsQuery(useOrg().id)).data?.find(({ tab }) => tab === tabName) ?? {};
  if (q === undefined || issueCount === undefined) return null;
  return (
    <p className="inbox-as-list">
      <FindingsLink q={q}>{`Show ${countText(issueCount)} as a list`}</FindingsLink>
    </p>
  );
}
