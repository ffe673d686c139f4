import '@mantine/core/styles/Progress.layer.css';
import { Button, Modal, Progress, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { Allowed } from '#web/parts/allowed.tsx';
import { CopyText } from '#web/parts/copy-text.tsx';
import { ProblemView } from '#web/parts/states.tsx';
import { uploadCommand } from './command.ts';
import { sendReport } from './send-report.ts';
import { type ImportResult, projectFrom, sentenceOf } from './sentence.ts';

interface UploadDialogProps {
  files: File[];
  project: string;
  onClose: () => void;
}

type Stage =
  | { kind: 'asking' }
  | { kind: 'sending'; share: number; isDryRun: boolean }
  | { kind: 'failed'; error: unknown }
  | { kind: 'done'; result: ImportResult; project: string; isDryRun: boolean };

/** Hands in one report: what it belongs to, a preview if wanted, how far it is, and what it changed. */
export function UploadDialog({ files, project: given, onClose }: UploadDialogProps) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [file, setFile] = useState<File | undefined>(files[0]);
  const [project, setProject] = useState(given);
  const [stage, setStage] = useState<Stage>({ kind: 'asking' });
  const name = project || (file ? projectFrom(file.name) : '');
  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (!file) return;
    const form = new FormData(event.currentTarget);
    const isDryRun = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('name') === 'preview';
    const wanted = { project: name, ref: String(form.get('ref')), commit: String(form.get('commit')) };
    const onProgress = (share: number) => setStage({ kind: 'sending', share, isDryRun });
    onProgress(0);
    try {
      const result = await sendReport({ ...wanted, deployment: org.id, file, isDryRun, onProgress });
      setStage({ kind: 'done', result, project: name, isDryRun });
      if (!isDryRun) await queryClient.invalidateQueries({ queryKey: [org.id] });
    } catch (error) {
      setStage({ kind: 'failed', error });
    }
  };
  const isSending = stage.kind === 'sending';
  const isOver = stage.kind === 'done' && !stage.isDryRun;
  return (
    <Modal opened onClose={onClose} title="Upload a report" size="lg">
      <form className="upload-form" onSubmit={(event) => void submit(event)}>
        {!isOver && (
          <>
            <label className="upload-file">
              <span>{file ? file.name : 'Choose a report: SARIF, CycloneDX, SPDX, Semgrep JSON and more'}</span>
              <input type="file" required={!file} onChange={(event) => setFile(event.currentTarget.files?.[0])} />
            </label>
            <TextInput
              label="Project"
              description="It is made when there is none of that name."
              placeholder="acme/web"
              value={name}
              onChange={(event) => setProject(event.currentTarget.value)}
              required
            />
            <TextInput label="Branch" name="ref" defaultValue="main" />
            <TextInput
              label="Commit"
              description="May be left out; with it, the same report twice changes nothing."
              name="commit"
            />
          </>
        )}
        <UploadStage stage={stage} onClose={onClose} />
        {!isOver && (
          <div className="upload-buttons">
            <Button type="submit" name="preview" variant="default" disabled={!file || isSending}>
              Preview
            </Button>
            <Allowed permission="scan:write">
              {(isDisabled) => (
                <Button type="submit" name="import" disabled={isDisabled || !file || isSending}>
                  Upload
                </Button>
              )}
            </Allowed>
          </div>
        )}
      </form>
      <p className="upload-command dimmed">
        From a terminal: <CopyText text={uploadCommand(org.slug, name || 'acme/web')} label="command" isHidden />
      </p>
    </Modal>
  );
}

function UploadStage({ stage, onClose }: { stage: Stage; onClose: () => void }) {
  const org = useOrg();
  if (stage.kind === 'asking') return null;
  if (stage.kind === 'failed') return <ProblemView error={stage.error} />;
  if (stage.kind === 'sending')
    return (
      <div role="status">
        <Progress value={stage.share * 100} aria-label="Upload" animated={stage.share >= 1} />
        <p>{stage.share < 1 ? `Sending: ${Math.round(stage.share * 100)} %` : 'Received; it is being read …'}</p>
      </div>
    );
  const { result, project, isDryRun } = stage;
  return (
    <div role="status" className="upload-done">
      <p>
        <strong>{sentenceOf(result, isDryRun)}</strong> <span className="dimmed">({result.format})</span>
      </p>
      {result.warnings.map((warning) => (
        <p key={warning} className="upload-warning">
          {warning}
        </p>
      ))}
      {!isDryRun && (
        <p>
          <Link
            to="/o/$slug/findings"
            params={{ slug: org.slug }}
            search={{ q: `is:open project:"${project}"` }}
            onClick={onClose}
          >
            Findings of {project}
          </Link>
        </p>
      )}
    </div>
  );
}
