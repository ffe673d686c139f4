import { useCallback, useState } from 'react';
import { FindingPanel } from '#web/features/findings/detail/finding-panel.tsx';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { FilterBar } from '#web/ui/filter/filter-bar.tsx';
import { Page } from '#web/ui/page/page.tsx';
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

/** The list of findings: filter, numbers, lines, and the finding beside them; the address holds all of it. */
export function FindingsPage() {
  const place = useFindingsListView();
  const { view, search, change, filter } = place;
  const counts = useStateCounts(view);
  const Panel = isWorkflowFindingId(search.at ?? '') ? WorkflowIssuePanel : FindingPanel;
  const [isQuiet, setIsQuiet] = useState(search.at !== undefined);
  const close = useCallback(() => {
    setIsQuiet(false);
    change({ at: undefined });
  }, [change]);
  return (
    <div className="findings-split">
      <Page title="Findings" isWide aside={<Aside place={place} />} actions={<Actions place={place} />}>
        <FilterBar view={view} onCommit={filter} />
        <StateTabs view={view} counts={counts.data} />
        <div className="findings-body" data-panel={search.at !== undefined}>
          <aside className="findings-facets no-print" aria-label="Narrow the list">
            <Facets view={view} filter={filter} />
          </aside>
          <ListPane place={place} />
        </div>
      </Page>
      {search.at !== undefined && (
        <Panel issueId={search.at} onClose={close} q={view.q} sort={search.sort} isQuiet={isQuiet} />
      )}
    </div>
  );
}

function Aside({ place: { view } }: { place: FindingsListView }) {
  const total = useFindingTotal(view);
  return (
    <span className="findings-total" role="status" title={`Findings with ${view.q}`}>
      {total === undefined ? '…' : formatNumber(total)}
    </span>
  );
}

function Actions({ place }: { place: FindingsListView }) {
  const { id: deploymentId } = useOrg();
  const { view, search, sort, columns } = place;
  return (
    <>
      <FacetSheet view={view} filter={place.filter} />
      <GroupAndSortMenu place={place} />
      {search.group === undefined && search.at === undefined && <ColumnMenu columns={columns} change={place.change} />}
      <FindingsExportMenu view={view} sort={sort} columns={columns} />
      <CopyAsMenu
        operationId="IssuesService_ListAllIssues"
        input={{ path: { deploymentId }, body: { q: view.q, ...SORT_PARAMS[sort], limit: 50 } }}
      />
    </>
  );
}
