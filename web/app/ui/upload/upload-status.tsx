import '@mantine/core/styles/Progress.layer.css';
import { Progress } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useOrg } from '#web/foundation/session/org.ts';
import { openFindingsFilter } from '#web/ui/filter/open-findings-filter.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { importSummary } from './import-summary.ts';
import type { UploadOutcome, UploadState } from './use-upload.ts';

/** Focuses the link, because the button that had the focus is gone. */
const focusOnce = (link: HTMLAnchorElement | null) => link?.focus();

/** The progress of an upload and the result of each report. */
export function UploadStatus({ stage, onClose }: { stage: UploadState; onClose: () => void }) {
  const org = useOrg();
  if (stage.kind === 'asking') return null;
  const { outcomes, isDryRun, target } = stage;
  return (
    <>
      <div role="status" className="upload-results">
        {outcomes.map((outcome) => (
          <OutcomeView key={outcome.index} outcome={outcome} isDryRun={isDryRun} />
        ))}
        {stage.kind === 'sending' && (
          <>
            <Progress value={stage.fraction * 100} aria-label="Upload" animated={stage.fraction >= 1} />
            <p>
              {stage.fileName}:{' '}
              {stage.fraction < 1 ? `uploading, ${Math.round(stage.fraction * 100)} %` : 'received, importing…'}
            </p>
          </>
        )}
        {!isDryRun && outcomes.length > 0 && (
          <p>
            <Link
              ref={focusOnce}
              to="/o/$slug/findings"
              params={{ slug: org.slug }}
              search={{ q: openFindingsFilter(target.project) }}
              onClick={onClose}
            >
              Findings of {target.project}
            </Link>
          </p>
        )}
      </div>
      {stage.kind === 'failed' && (
        <>
          <p>{stage.fileName}:</p>
          <ProblemView error={stage.error} />
        </>
      )}
    </>
  );
}

function OutcomeView({ outcome: { fileName, result }, isDryRun }: { outcome: UploadOutcome; isDryRun: boolean }) {
  return (
    <div>
      <p>
        {fileName}: <strong>{importSummary(result, isDryRun)}</strong> <span className="dimmed">({result.format})</span>
      </p>
      {result.warnings.map((warning) => (
        <p key={warning} className="upload-warning">
          {warning}
        </p>
      ))}
    </div>
  );
}
