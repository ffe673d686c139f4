import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue } from 'react';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { TabList } from '#web/ui/page/tab-list.tsx';
import { FindingPanel } from '../detail/finding-panel.tsx';
import { AssignDialog } from '../triage/assign-dialog.tsx';
import { useDecide, useDecisionKeys } from '../triage/use-decide.ts';
import { Approvals } from './approvals.tsx';
import { Assigned } from './assigned.tsx';
import { Expiring } from './expiring.tsx';
import { Failing } from './failing.tsx';
import './inbox.css';
import { countText, INBOX_TABS, type InboxTab } from './inbox-tabs.ts';
import { Notices } from './notices.tsx';
import { inboxTabsQuery } from './queries.ts';
import { Review } from './review.tsx';
import { type InboxCursor, useInboxCursor } from './use-inbox-cursor.ts';
import { useInboxIds } from './use-inbox-ids.ts';
import { usePrefetchNext } from './use-prefetch-next.ts';

const route = getRouteApi('/o/$slug/inbox');

const LISTS: Record<InboxTab, (props: { cursor: InboxCursor }) => ReactElement> = {
  review: Review,
  assigned: Assigned,
  approvals: Approvals,
  expiring: Expiring,
  failing: Failing,
  notices: Notices,
};

/** Everything that waits for the person's review, approval or attention. */
export function InboxPage() {
  const org = useOrg();
  const { tab = 'review' } = route.useSearch();
  const ids = useInboxIds(tab);
  const cursor = useInboxCursor(ids);
  usePrefetchNext(ids, cursor.id);
  // The cursor moves first; the panel follows with lower priority.
  const shown = useDeferredValue(cursor.shown);
  const List = LISTS[tab];
  useInboxKeys(tab, cursor);
  return (
    <div className="inbox" data-split={shown !== undefined}>
      <div className="inbox-list">
        <Page
          title="Inbox"
          isWide
          actions={<CopyAsMenu operationId="InboxService_GetInbox" input={{ path: { deployment: org.id } }} />}
        >
          <InboxTabs tab={tab}>
            <List cursor={cursor} />
          </InboxTabs>
        </Page>
      </div>
      <AssignDialog />
      {shown !== undefined && <FindingPanel issueId={shown} onClose={cursor.close} keepsFocus />}
    </div>
  );
}

function useInboxKeys(tab: InboxTab, cursor: InboxCursor): void {
  const navigate = route.useNavigate();
  const { id } = cursor;
  const decide = useDecide(id ?? '');
  useDecisionKeys(tab === 'review' || tab === 'assigned' ? id : undefined, (decision) => {
    decide(decision);
    if (decision.state !== undefined) cursor.move(1);
  });
  useShortcuts(
    id === undefined
      ? {}
      : {
          next: () => cursor.move(1),
          previous: () => cursor.move(-1),
          open: () => cursor.choose(id),
          openPage: () => void navigate({ to: '/o/$slug/findings/$issueId', params: { issueId: id }, search: {} }),
          back: cursor.close,
        },
  );
}

function InboxTabs({ tab, children }: { tab: InboxTab; children: ReactElement }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const { data = [] } = useQuery(inboxTabsQuery(org.id));
  const choose = (next: string | null) =>
    void navigate({ search: { tab: INBOX_TABS.find((item) => item.tab === next)?.tab ?? 'review' } });
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <TabList open={tab}>
        {INBOX_TABS.map((item) => (
          <Tabs.Tab
            key={item.tab}
            value={item.tab}
            data-tab={item.tab}
            title={item.description}
            rightSection={<Count of={countOf(data, item.name)} />}
          >
            {item.label}
          </Tabs.Tab>
        ))}
      </TabList>
      <Tabs.Panel value={tab}>{children}</Tabs.Panel>
    </Tabs>
  );
}

const countOf = (counts: readonly { tab: string; count: number }[], name: string) =>
  counts.find(({ tab }) => tab === name)?.count;

/** Not a link of its own: the tab that it labels shows what it counts. */
function Count({ of }: { of: number | undefined }) {
  return <span className="inbox-count">{of === undefined ? ' ' : countText(of)}</span>;
}
