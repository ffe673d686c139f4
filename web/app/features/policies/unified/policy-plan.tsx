import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { differingLines } from './bundle-text.ts';
import './unified.css';

export interface PlannedChange {
  kind: string;
  key: Readonly<Record<string, string | undefined>>;
  before?: unknown;
  after?: unknown;
}

export interface Plan {
  creates: readonly PlannedChange[];
  updates: readonly PlannedChange[];
  deletes: readonly PlannedChange[];
  state_version: string;
  validation_errors: readonly { code: string; message: string; policy_slug: string }[];
}

export const changeCount = ({ creates, updates, deletes }: Plan): number =>
  creates.length + updates.length + deletes.length;

interface PolicyPlanProps {
  title: string;
  plan: Plan;
  isBusy: boolean;
  error: unknown;
  onApply: () => void;
  onClose: () => void;
  children?: ReactNode;
}

/** What applying a policy would change, and its problems. Applying names the version that was compared. */
export function PolicyPlan({ title, plan, isBusy, error, onApply, onClose, children }: PolicyPlanProps) {
  const count = changeCount(plan);
  const errors = plan.validation_errors;
  return (
    <Dialog onClose={onClose} title={title} size="xl">
      <div className="policy-plan">
        {errors.length > 0 && (
          <ul className="policy-errors">
            {errors.map(({ code, message, policy_slug: slug }) => (
              <li key={`${code} ${slug} ${message}`}>
                <a href={`/docs/errors#${code}`}>{code}</a> {slug !== '' && <code>{slug}</code>} {message}
              </li>
            ))}
          </ul>
        )}
        {errors.length === 0 && count === 0 && <p role="status">Nothing would change.</p>}
        <Changes word="Create" changes={plan.creates} />
        <Changes word="Change" changes={plan.updates} />
        <Changes word="Delete" changes={plan.deletes} />
        {children}
        {error !== undefined && error !== null && <ProblemView error={error} />}
        {asProblem(error ?? new Error()).body.code === 'STATE_VERSION_MISMATCH' && (
          <p role="status">Somebody else changed the policies meanwhile. Close this, and review the changes again.</p>
        )}
        <div className="policy-buttons">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button disabled={count === 0} loading={isBusy} onClick={onApply}>
            Apply {count === 1 ? '1 change' : `${count} changes`}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

const MAX_SHOWN = 100;

function Changes({ word, changes }: { word: string; changes: readonly PlannedChange[] }) {
  if (changes.length === 0) return null;
  return (
    <section>
      <h3>
        {word} {changes.length}
      </h3>
      <ul className="policy-changes">
        {changes.slice(0, MAX_SHOWN).map((change) => (
          <li key={JSON.stringify([change.kind, change.key])}>
            <code>{Object.values(change.key).filter(Boolean).join(' ')}</code>
            <ChangedLines change={change} />
          </li>
        ))}
      </ul>
      {changes.length > MAX_SHOWN && <p className="dimmed">and {changes.length - MAX_SHOWN} more</p>}
    </section>
  );
}

function ChangedLines({ change: { before, after } }: { change: PlannedChange }) {
  const { removed, added } = differingLines(before, after);
  if (removed.length + added.length === 0) return null;
  return (
    <pre className="policy-diff" tabIndex={0}>
      {removed.map((line) => (
        <del key={`- ${line}`}>- {line}</del>
      ))}
      {added.map((line) => (
        <ins key={`+ ${line}`}>+ {line}</ins>
      ))}
    </pre>
  );
}
