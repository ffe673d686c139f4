import { Button } from '@mantine/core';
import { useState } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { ruleboards } from '#web/foundation/api/services.ts';
import { MODE_LABELS } from '#web/foundation/format/labels.ts';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyAsMenu } from '#web/ui/clipboard/copy-as-menu.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { type BoardLine, itemKey, type RuleMode, updateChanges } from './board-changes.ts';
import type { Ruleboard } from './queries.ts';

interface ReviewChangesProps {
  board: Ruleboard;
  /** Only the changed lines. */
  lines: readonly BoardLine[];
  version: string;
  onClose: () => void;
  onSaved: () => Promise<void>;
  onReload: () => void;
}

const nameOf = (mode: RuleMode | undefined) => (mode === undefined ? 'not on the ruleboard' : MODE_LABELS[mode]);

/** Reviews the staged changes as a table and as the request body, then saves them in one request. */
export function ReviewChanges({ board, lines, version, onClose, onSaved, onReload }: ReviewChangesProps) {
  const org = useOrg();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  const changes = updateChanges(lines, board.product);
  const input = {
    path: { deploymentId: org.id, ruleboardSlug: board.slug },
    body: { changes },
    headers: version === '' ? {} : { 'if-match': version },
  };
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await ruleboards.updateRuleboard(input);
      notify(`${board.name}: ${changes.length === 1 ? '1 rule' : `${changes.length} rules`} changed.`);
      await onSaved();
    } catch (problem) {
      setError(problem);
      if (asProblem(problem).body.status === 412) onReload();
    }
    setIsBusy(false);
  };
  return (
    <Dialog onClose={onClose} size="xl" title={`Changes to ${board.name}`}>
      <section className="board-scroll" tabIndex={0} aria-label="Changes">
        <table className="board-table">
          <thead>
            <tr>
              <th scope="col">Rule</th>
              <th scope="col">Before</th>
              <th scope="col">After</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={itemKey(line)}>
                <th scope="row">
                  <code>{line.id}</code>
                </th>
                <td>{nameOf(line.before)}</td>
                <td>
                  <strong>{nameOf(line.after)}</strong>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <details className="board-details">
        <summary>Request body</summary>
        <pre className="policy-json" tabIndex={0}>
          {JSON.stringify({ changes }, null, 2)}
        </pre>
      </details>
      {error !== undefined && <ProblemView error={error} />}
      {error !== undefined && asProblem(error).body.status === 412 && (
        <p role="status">
          Someone else changed the ruleboard. The latest version is loaded and your changes are kept: review and save
          again.
        </p>
      )}
      <div className="policy-buttons">
        <CopyAsMenu operationId="RuleboardService_UpdateRuleboard" input={input} />
        <Button loading={isBusy} onClick={() => void save()} data-autofocus>
          Save {changes.length === 1 ? '1 change' : `${changes.length} changes`}
        </Button>
      </div>
    </Dialog>
  );
}
