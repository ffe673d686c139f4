import { Button, Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import { asProblem } from '#web/foundation/api/problem.ts';
import { CopyText } from '../clipboard/copy-text.tsx';
import './view-states.css';

/** Skeleton rows of the final size, so that the layout does not shift when data arrives. */
export function LoadingRows({ rows = 8, height = 40 }: { rows?: number; height?: number }) {
  const lines = Array.from({ length: rows }, (_, index) => index);
  return (
    <div className="loading-rows" aria-busy="true">
      <p role="status" className="visually-hidden">
        Loading
      </p>
      {lines.map((line) => (
        <Skeleton key={line} height={height - 8} radius="sm" />
      ))}
    </div>
  );
}

/** Shows a problem with its hint, error code and request id, in place of the content that failed. */
export function ProblemView({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const { title, detail, code, hint, requestId } = asProblem(error).body;
  return (
    <section className="state problem-view" role="alert">
      <h2>{title}</h2>
      <p>{detail}</p>
      {hint !== '' && <p className="dimmed">{hint}</p>}
      <p className="problem-facts">
        <a href={`/docs/errors#${code}`}>{code}</a>
        {requestId !== '' && <CopyText text={requestId} label="request id" />}
      </p>
      {onRetry && (
        <Button variant="default" onClick={onRetry}>
          Try again
        </Button>
      )}
    </section>
  );
}

interface EmptyStateProps {
  title: string;
  /** Why it is empty, in one sentence. */
  why?: ReactNode;
  /** The next step. */
  action?: ReactNode;
  /** The next step as a terminal command. */
  command?: string;
}

/** Empty state: why there is nothing to show, and what to do about it. */
export function EmptyState({ title, why, action, command }: EmptyStateProps) {
  return (
    <section className="state empty">
      <h2>{title}</h2>
      {why !== undefined && <p className="dimmed">{why}</p>}
      {action}
      {command !== undefined && (
        <div className="empty-command">
          <pre tabIndex={0}>{command}</pre>
          <CopyText text={command} label="command" isHidden />
        </div>
      )}
    </section>
  );
}
