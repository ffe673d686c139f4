import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Circle, CircleCheck, Lock } from 'lucide-react';
import { checklist } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Page } from '#web/ui/page/page.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { ciWorkflowSnippet } from '#web/ui/upload/import-command.ts';
import { openUpload } from '#web/ui/upload/upload-drop.tsx';
import { CHECKLIST_STEPS } from './checklist-steps.ts';
import { DemoCard } from './demo-card.tsx';
import './welcome.css';

/** The getting-started page: three ways to begin, and the onboarding checklist. */
export function StartPage() {
  const org = useOrg();
  const ci = ciWorkflowSnippet(org.slug);
  return (
    <Page title="Getting started">
      <div className="start-cards">
        <section className="start-card">
          <h2>Upload a report</h2>
          <p className="dimmed">
            From any scanner: SARIF, CycloneDX, SPDX, Semgrep and more than 80 others. Or drop it on any page.
          </p>
          <Button onClick={() => openUpload()}>Choose a file</Button>
        </section>
        <section className="start-card">
          <h2>Connect CI</h2>
          <p className="dimmed">Create a token for CI, store it as a secret, and add these steps to the workflow.</p>
          <pre className="start-snippet" tabIndex={0}>
            {ci}
          </pre>
          <CopyText text={ci} label="CI steps" isHidden />
          <Link
            to="/o/$slug/settings/{-$section}/{-$item}"
            params={{ slug: org.slug, section: 'tokens' }}
            search={{ preset: 'ci' }}
          >
            Create a token
          </Link>
        </section>
        <DemoCard />
      </div>
      <h2>Checklist</h2>
      <Steps />
    </Page>
  );
}

const STATE_DISPLAY = {
  TASK_STATE_COMPLETE: { icon: CircleCheck, word: 'Done' },
  TASK_STATE_INCOMPLETE: { icon: Circle, word: 'Open' },
  TASK_STATE_LOCKED: { icon: Lock, word: 'After the first scan' },
} as const;

function Steps() {
  const org = useOrg();
  const { data, error, refetch } = useQuery({
    queryKey: [org.id, 'counts', 'checklist'],
    queryFn: ({ signal }) => checklist.getChecklistStatus({ path: { deploymentId: org.id } }, { signal }),
    // The page updates by itself when the first upload from CI arrives.
    refetchInterval: 5000,
  });
  if (!data)
    return error ? (
      <ProblemView error={error} onRetry={() => void refetch()} />
    ) : (
      <LoadingRows rows={CHECKLIST_STEPS.length} />
    );
  const states = new Map(data.taskStatus.map(({ type, state }) => [type, state]));
  return (
    <ol className="start-list">
      {CHECKLIST_STEPS.map(({ type, name, path }) => {
        const { icon: Icon, word } = STATE_DISPLAY[states.get(type) ?? 'TASK_STATE_INCOMPLETE'];
        return (
          <li key={type}>
            <Icon size={18} aria-hidden="true" />
            <span>{name}</span>
            <span className="dimmed">{word}</span>
            <Link to={`/o/$slug/${path}` as '/o/$slug/start'} params={{ slug: org.slug }}>
              Go there<span className="visually-hidden">: {name}</span>
            </Link>
          </li>
        );
      })}
    </ol>
  );
}
