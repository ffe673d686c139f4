import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactElement, useDeferredValue } from 'react';
import { FindingPanel } from '#web/finding/finding-panel.tsx';
import { useDecide, useDecisionKeys } from '#web/finding/use-decide.ts';
import { useKeys } from '#web/keys/use-keys.ts';
import { useOrg } from '#web/org/org.ts';
import { CopyAs } from '#web/parts/copy-as.tsx';
import { Page } from '#web/parts/page.tsx';
import { TabList } from '#web/parts/tab-list.tsx';
import { Approvals } from './approvals.tsx';
import { Expiring } from './expiring.tsx';
import { Failing } from './failing.tsx';
import './inbox.css';
import { tabsQuery } from './queries.ts';
import { Review } from './review.tsx';
import { countText, TABS, type Tab } from './tabs.ts';
import { type Chosen, useChosen } from './use-chosen.ts';
import { useIds } from './use-ids.ts';
import { usePrefetch } from './use-prefetch.ts';

const route = getRouteApi('/o/$slug/inbox');

const LISTS: Record<Tab, (props: { chosen: Chosen }) => ReactElement> = {
  review: Review,
  approvals: Approvals,
  expiring: Expiring,
  failing: Failing,
};

/** What waits for the person: it stays until it is done with. */
export function InboxPage() {
  const org = useOrg();
  const { tab = 'review' } = route.useSearch();
  const ids = useIds(tab);
  const chosen = useChosen(ids);
  usePrefetch(ids, chosen.id);
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
          actions={<CopyAs operationId="InboxService_GetInbox" input={{ path: { deployment: org.id } }} />}
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

function useInboxKeys(tab: Tab, chosen: Chosen): void {
  const navigate = route.useNavigate();
  const { id } = chosen;
  const decide = useDecide(id ?? '');
  useDecisionKeys(tab === 'review' ? id : undefined, (decision) => {
    decide(decision);
    chosen.move(1);
  });
  useKeys(
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

function InboxTabs({ tab, children }: { tab: Tab; children: ReactElement }) {
  const org = useOrg();
  const navigate = route.useNavigate();
  const { data = [] } = useQuery(tabsQuery(org.id));
  const choose = (next: string | null) =>
    void navigate({ search: { tab: TABS.find((one) => one.tab === next)?.tab ?? 'review' } });
  return (
    <Tabs value={tab} onChange={choose} keepMounted={false}>
      <TabList open={tab}>
        {TABS.map((one) => (
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
