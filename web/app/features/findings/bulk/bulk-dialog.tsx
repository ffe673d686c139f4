import '@mantine/core/styles/Progress.layer.css';
import { Button, Group, Progress } from '@mantine/core';
import { useState } from 'react';
import { Problem } from '#web/foundation/api/problem.ts';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { type Decision, decisionLabel } from '../model/decision.ts';
import { idLabel } from '../model/finding-id.ts';
import type { FindingRow } from '../model/finding-row.ts';
import { unsupportedFieldsText } from '../triage/triage-workflow-issues.ts';
import type { TriageActions } from '../triage/use-triage.ts';
import { type BulkDecision, type BulkPreview, bulkPreviewOf } from './bulk-preview.ts';
import { type BulkTaskProgress, useBulkDryRun, useBulkTask } from './use-bulk-task.ts';
import { isTransient } from './watch-batch.ts';

interface BulkDialogProps {
  bulk: BulkDecision | undefined;
  rows: readonly FindingRow[];
  q: string;
  snapshot: string;
  triage: TriageActions['triage'];
  onClose: () => void;
  onDone: () => void;
}

interface PreviewTextProps {
  preview: BulkPreview;
  decision: Decision;
  isAll: boolean;
}

function PreviewText({ preview, decision, isAll }: PreviewTextProps) {
  const { count, workflows, elsewhere, projects, worst } = preview;
  const unsupported = workflows > 0 ? unsupportedFieldsText(decision) : '';
  return (
    <>
      <p>
        This changes <strong>{formatNumber(count)} findings</strong>
        {workflows > 0 && ` (workflow issues among them: ${formatNumber(workflows)})`}.
        {isAll && ' Findings that arrive later are not changed.'}
      </p>
      {unsupported !== '' && <p>{unsupported}</p>}
      <ul className="findings-bulk-list">
        {projects.map(({ name, count: inProject }) => (
          <li key={name}>
            <strong>{formatNumber(inProject)}</strong> in {name}
          </li>
        ))}
        {elsewhere > 0 && (
          <li>
            <strong>{formatNumber(elsewhere)}</strong> in other projects{workflows > 0 && ', or in no project'}
          </li>
        )}
      </ul>
      {worst.length > 0 && <p>Most severe:</p>}
      <ul className="findings-bulk-list">
        {worst.map(({ id, title, severity }) => (
          <li key={id}>
            <SeverityChip severity={severityOf(severity)} /> {idLabel(id)} {title}
          </li>
        ))}
      </ul>
    </>
  );
}

function TaskProgress({ running: { done, total } }: { running: BulkTaskProgress }) {
  const percent = total === 0 ? 0 : (done / total) * 100;
  return (
    <div aria-live="polite">
      <p>
        {formatNumber(done)} of {total === 0 ? '…' : formatNumber(total)}
      </p>
      <Progress value={percent} aria-label="Progress" />
    </div>
  );
}

const bulkTitle = ({ state, assignee, ...rest }: Decision): string =>
  state === undefined
    ? `Assign all to ${assignee?.name ?? 'nobody'}?`
    : `Set all to ${decisionLabel({ state, ...rest })}?`;

/** Confirms a bulk decision with a preview, and shows the progress of its task. */
export function BulkDialog({ bulk, rows, q, snapshot, triage, onClose, onDone }: BulkDialogProps) {
  const [error, setError] = useState<unknown>();
  const dryRun = useBulkDryRun({ q, snapshot }, bulk);
  const { running, run } = useBulkTask({ q, snapshot });
  if (!bulk) return null;
  const { ids, decision } = bulk;
  const preview = ids ? bulkPreviewOf(rows.filter(({ id }) => ids.includes(id))) : dryRun.data;
  const problem = error ?? dryRun.error;
  // Without a reply the task may have started, and a second one must not run in parallel.
  const mayHaveStarted = error instanceof Problem && isTransient(error);
  const close = () => {
    setError(undefined);
    onClose();
  };
  const confirm = async () => {
    setError(undefined);
    try {
      if (ids) void triage(ids, decision);
      else await run(bulk);
      onDone();
    } catch (failure) {
      setError(failure);
    }
  };
  return (
    <Dialog onClose={running ? () => {} : close} title={bulkTitle(decision)} size="lg">
      {problem !== undefined && problem !== null && <ProblemView error={problem} />}
      {preview && !running && <PreviewText preview={preview} decision={decision} isAll={ids === undefined} />}
      {!preview && !problem && <LoadingRows rows={4} />}
      {running && <TaskProgress running={running} />}
      <Group justify="flex-end" mt="md">
        <Button variant="default" disabled={running !== undefined} onClick={close}>
          Cancel
        </Button>
        <Button
          data-autofocus
          disabled={!preview || preview.count === 0 || mayHaveStarted}
          loading={running !== undefined}
          onClick={() => void confirm()}
        >
          Change {preview && formatNumber(preview.count)} findings
        </Button>
      </Group>
    </Dialog>
  );
}
