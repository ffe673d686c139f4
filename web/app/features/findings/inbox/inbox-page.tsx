import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue } from 'react';
import { FindingPanel } from '#web/features/findings/detail/finding-panel.tsx';
import { useDecide, useDecisionKeys } from '#web/features/findings/triage/use-decide.ts';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { Approvals } from './approvals.tsx';
import { Expiring } from './expiring.tsx';
import { Failing } from './failing.tsx';
import './inbox.css';
import { countText, INBOX_TABS, type InboxTab } from './inbox-tabs.ts';
import { inboxTabsQuery } from './queries.ts';
import { Review } from './review.tsx';
import { type InboxCursor, useInboxCursor } from './use-inbox-cursor.ts';
import { useInboxIds } from './use-inbox-ids.ts';
import { usePrefetchNext } from './use-prefetch-next.ts';

const route = getRouteApi('/o/$slug/inbox');

const LISTS: Record<InboxTab, (props: { chosen: InboxCursor }) => ReactElement> = {
  review: Review,
  approvals: Approvals,
  expiring: Expiring,
  failing: Failing,
};

/** What waits for the person: it stays until it is done with. */
export function InboxPage() {
  const org = useOrg();
  const { tab = 'review' } = route.useSearch();
  const ids = useInboxIds(tab);
  const chosen = useInboxCursor(ids);
  usePrefetchNext(ids, chosen.id);
  // The cursor moves first; the finding beside it follows as soon as there is time.
  const shown = useDeferredValue(chosen.shown);
  const List = LISTS[tab];
  useInboxKeys(tab, chosen);
  return (
    <div className="inbox" data-split={shown !== undefined}>
      <div className="inbox-list">
        <Page
          title="Inbox"
          isWide
          actions={<CopyAsMenu operationId="InboxService_GetInbox" input={{ path: { deployment: org.id } }} />}
        >
          <InboxTabs tab={tab}>
            <List chosen={chosen} />
          </InboxTabs>
        </Page>
      </div>
      {shown !== undefined && <FindingPanel issueId={shown} onClose={chosen.close} isQuiet />}
    </div>
  );
}

function useInboxKeys(tab: InboxTab, chosen: InboxCursor): void {
  const navigate = route.useNavigate();
  const { id } = chosen;
  const decide = useDecide(id ?? '');
  useDecisionKeys(tab === 'review' ? id : undefined, (decision) => {
    decide(decision);
    chosen.move(1);
  });
  useShortcuts(
    id === undefined
      ? {}
      : {
          next: () => chosen.move(1),
          previous: () => chosen.move(-1),
          open: () => chosen.choose(id),
          openPage: () => void navigate({ to: '/o/$slug/findings/$issueId', params: { issueId: id }, search: {} }),
          back: chosen.close,
        },
  );
}

function InboxTabs({ tab, children }: { tab: InboxTab; children: ReactElement }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const { data = [] } = useQuery(inboxTabsQuery(org.id));
  const choose = (next: string | null) =>
    void navigate({ search: { tab: INBOX_TABS.find((one) => one.tab === next)?.tab ?? 'review' } });
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <TabList open={tab}>
        {INBOX_TABS.map((one) => (
          <Tabs.Tab
            key={one.tab}
            value={one.tab}
            data-tab={one.tab}
            title={one.what}
            rightSection={<Count of={countOf(data, one.name)} />}
          >
            {one.label}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value={tab}>{children}</Tabs.Panel>
    </Tabs>
  );
}

const countOf = (counts: readonly { tab: string; count: number }[], name: string) =>
  counts.find(({ tab }) => tab === name)?.count;

/** It leads to its tab, which has all that it counts: what are findings has a link to their list there. */
function Count({ of }: { of: number | undefined }) {
  return <span className="inbox-count">{of === undefined ? ' ' : countText(of)}</span>;
}
