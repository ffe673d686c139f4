import { Button } from '@mantine/core';
import { useInfiniteQuery, useMutation } from '@tanstack/react-query';
import { Download, ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { audit } from '#web/foundation/api/services.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { useShortcuts } from '#web/foundation/keys/use-shortcuts.ts';
import { notify, notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { saveFile } from '#web/ui/clipboard/save-file.ts';
import { LoadMore } from '#web/ui/page/load-more.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { EmptyState, LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { useSettingsSearch } from '../parts/use-settings-search.ts';
import './audit.css';
import { AUDIT_FILTER_PARAMS, type AuditFilter, auditQueryParams, toNdjson } from './audit-filter.ts';
import { AuditFilterForm } from './audit-filter-form.tsx';
import { AuditTable } from './audit-table.tsx';
import { auditQuery, fetchAllRecords } from './queries.ts';

/** The audit log: filter, export and verification of its hash chain. */
export function AuditSection() {
  const { id: deploymentId } = useOrg();
  const { search } = useSettingsSearch();
  const filter: AuditFilter = Object.fromEntries(AUDIT_FILTER_PARAMS.map((name) => [name, search[name]]));
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <CopyAsMenu
            operationId="AuditService_ListAuditRecords"
            input={{ path: { deploymentId }, query: { ...auditQueryParams(filter) } }}
          />
          <Export filter={filter} />
        </>
      }
    >
      <Verification />
      <AuditFilterForm key={JSON.stringify(filter)} filter={filter} />
      <Records filter={filter} />
    </Page>
  );
}

function Records({ filter }: { filter: AuditFilter }) {
  const { id: deploymentId } = useOrg();
  const list = useInfiniteQuery(auditQuery(deploymentId, filter));
  const problem = list.error && <ProblemView error={list.error} onRetry={() => void list.refetch()} />;
  if (!list.data) return problem ?? <LoadingRows />;
  const records = list.data.pages.flatMap((page) => page.records);
  if (records.length === 0) return <EmptyState title="No record matches" why="Broaden or clear the filter." />;
  return (
    <div aria-busy={list.isPlaceholderData}>
      <AuditTable records={records} />
      {problem}
      <LoadMore {...list} />
    </div>
  );
}

function Export({ filter }: { filter: AuditFilter }) {
  const { id: deploymentId, slug } = useOrg();
  const [count, setCount] = useState(0);
  const exporting = useMutation({
    mutationFn: () => fetchAllRecords(deploymentId, filter, setCount),
    onSuccess: ({ records, isTruncated }) => {
      const today = new Date().toISOString().slice(0, 10);
      saveFile(`audit-${slug}-${today}.ndjson`, 'application/x-ndjson', toNdjson(records));
      const all = `${formatNumber(records.length)} records exported`;
      notify(isTruncated ? `Only the newest ${all}. Narrow the filter to export older ones.` : all);
    },
    onError: notifyProblem,
  });
  const start = () => {
    if (exporting.isPending) return;
    setCount(0);
    exporting.mutate();
  };
  useShortcuts({ export: start });
  return (
    <Button variant="default" leftSection={<Download size={16} />} disabled={exporting.isPending} onClick={start}>
      {exporting.isPending ? `${formatNumber(count)} records…` : 'Export NDJSON'}
    </Button>
  );
}

function Verification() {
  const { id: deploymentId } = useOrg();
  const verifying = useMutation({ mutationFn: () => audit.verifyAuditTrail({ path: { deploymentId } }) });
  const result = verifying.data;
  return (
    <div className="settings-note" data-kind={result && (result.verified ? 'good' : 'bad')}>
      <div className="settings-row">
        <Button
          size="xs"
          variant="default"
          leftSection={<ShieldCheck size={16} />}
          loading={verifying.isPending}
          onClick={() => verifying.mutate()}
        >
          Verify integrity
        </Button>
        <span role="status">
          {!result && 'Records form a hash chain that reveals any later change, removal or insertion.'}
          {result?.verified && (
            <>
              The newest {result.records} records are unchanged, checked <RelativeTime at={result.checkedAt} />.
            </>
          )}
          {result && !result.verified && (
            <strong>
              The chain is broken at {result.firstBroken}: {result.problem}. Contact the operator of the server.
            </strong>
          )}
        </span>
      </div>
      {verifying.isError && <ProblemView error={verifying.error} />}
    </div>
  );
}
