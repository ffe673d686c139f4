import { useCallback, useState } from 'react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { FilterBar } from '#web/ui/filter/filter-bar.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { FindingPanel } from '../detail/finding-panel.tsx';
import { FacetSheet, Facets } from './facets.tsx';
import { FindingsExportMenu } from './findings-export-menu.tsx';
import './findings.css';
import { WorkflowIssuePanel } from '../detail/workflow-issue-panel.tsx';
import { isWorkflowFindingId } from '../model/finding-id.ts';
import { SORT_PARAMS, useStateCounts } from '../model/list-queries.ts';
import { ColumnMenu, GroupAndSortMenu } from './list-menus.tsx';
import { ListPane } from './list-pane.tsx';
import { StateTabs } from './state-tabs.tsx';
import { useFindingTotal } from './use-lines.ts';
import { type FindingsListView, useFindingsListView } from './use-list-view.ts';
import { ViewsMenu } from './views-menu.tsx';

/** The list of findings: filter, counts, rows and the open finding. The URL holds the whole view. */
export function FindingsPage() {
  const listView = useFindingsListView();
  const { view, search, change, filter } = listView;
  const counts = useStateCounts(view);
  const Panel = isWorkflowFindingId(search.at ?? '') ? WorkflowIssuePanel : FindingPanel;
  const [wasOpenOnLoad, setWasOpenOnLoad] = useState(search.at !== undefined);
  const close = useCallback(() => {
    setWasOpenOnLoad(false);
    change({ at: undefined });
  }, [change]);
  return (
    <div className="findings-split">
      <Page title="Findings" isWide aside={<Aside listView={listView} />} actions={<Actions listView={listView} />}>
        <FilterBar view={view} onCommit={filter} />
        <StateTabs view={view} counts={counts.data} />
        <div className="findings-body" data-panel={search.at !== undefined}>
          <aside className="findings-facets no-print" aria-label="Refine results">
            <Facets view={view} filter={filter} />
          </aside>
          <ListPane listView={listView} />
        </div>
      </Page>
      {search.at !== undefined && (
        <Panel issueId={search.at} onClose={close} q={view.q} sort={search.sort} keepsFocus={wasOpenOnLoad} />
      )}
    </div>
  );
}

function Aside({ listView: { view } }: { listView: FindingsListView }) {
  const total = useFindingTotal(view);
  return (
    <span className="findings-total" role="status" title={`Findings with ${view.q}`}>
      {total === undefined ? '…' : formatNumber(total)}
    </span>
  );
}

function Actions({ listView }: { listView: FindingsListView }) {
  const { id: deploymentId } = useOrg();
  const { view, search, sort, columns } = listView;
  return (
    <>
      <FacetSheet view={view} filter={listView.filter} />
      {search.at === undefined && <ViewsMenu />}
      <GroupAndSortMenu listView={listView} />
      {search.group === undefined && search.at === undefined && (
        <ColumnMenu columns={columns} change={listView.change} />
      )}
      <FindingsExportMenu view={view} sort={sort} columns={columns} />
      <CopyAsMenu
        operationId="IssuesService_ListAllIssues"
        input={{ path: { deploymentId }, body: { q: view.q, ...SORT_PARAMS[sort], limit: 50 } }}
      />
    </>
  );
}
