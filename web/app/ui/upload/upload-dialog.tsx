import { Button, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useState } from 'react';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Dialog } from '#web/ui/dialog/dialog.tsx';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { importCommand } from './import-command.ts';
import { suggestProjectName } from './import-summary.ts';
import { UploadStatus } from './upload-status.tsx';
import { useUpload } from './use-upload.ts';

interface UploadDialogProps {
  files: readonly File[];
  project: string;
  onBusy: (isBusy: boolean) => void;
  onClose: () => void;
}

const NO_FILE = 'Choose a report: SARIF, CycloneDX, SPDX, Semgrep JSON and more';

/** Uploads reports: project and ref, optional preview, progress and the result of each file. */
export function UploadDialog({ files: initialFiles, project: initialProject, onBusy, onClose }: UploadDialogProps) {
  const org = useOrg();
  const { files, setFiles, stage, send, stop } = useUpload(initialFiles);
  const [typed, setTyped] = useState(initialProject === '' ? undefined : initialProject);
  const [first] = files;
  const name = typed ?? (first ? suggestProjectName(first.name) : '');
  const isSending = stage.kind === 'sending';
  const isOver = stage.kind === 'done' && !stage.isDryRun;
  useEffect(() => {
    onBusy(isSending);
    return () => onBusy(false);
  }, [isSending, onBusy]);
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const isDryRun = (event.nativeEvent as SubmitEvent).submitter?.getAttribute('name') === 'preview';
    setTyped(name);
    void send({ project: name, ref: String(form.get('ref')), commit: String(form.get('commit')) }, isDryRun);
  };
  return (
    <Dialog onClose={onClose} closeOnClickOutside={!isSending} title="Upload a report" size="lg">
      <form className="upload-form" onSubmit={submit}>
        {!isOver && (
          <>
            <label className="upload-file">
              <span>{first ? files.map((file) => file.name).join(', ') : NO_FILE}</span>
              <input
                type="file"
                multiple
                required={!first}
                disabled={isSending}
                onChange={(event) => setFiles([...(event.currentTarget.files ?? [])])}
              />
            </label>
            <TargetFields name={name} count={files.length} onName={setTyped} />
          </>
        )}
        <UploadStatus stage={stage} onClose={onClose} />
        {isSending && (
          <div className="upload-buttons">
            <Button variant="default" onClick={stop}>
              Stop
            </Button>
          </div>
        )}
        {!isOver && !isSending && <UploadButtons isReady={first !== undefined} />}
      </form>
      <p className="upload-command dimmed">
        From a terminal: <CopyText text={importCommand(org.slug, name || 'acme/web')} label="command" isHidden />
      </p>
    </Dialog>
  );
}

function TargetFields({ name, count, onName }: { name: string; count: number; onName: (name: string) => void }) {
  const all = count > 1 ? `All ${count} reports are imported into it. ` : '';
  return (
    <>
      <TextInput
        label="Project"
        description={`${all}It is created if it does not exist.`}
        placeholder="acme/web"
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
        required
      />
      <TextInput label="Branch" name="ref" defaultValue="main" />
      <TextInput
        label="Commit"
        description="Optional. With it, importing the same report twice changes nothing."
        name="commit"
      />
    </>
  );
}

function UploadButtons({ isReady }: { isReady: boolean }) {
  return (
    <div className="upload-buttons">
      <PermissionGate permission="scan:write">
        {(isDisabled) => (
          <Button type="submit" name="preview" variant="default" disabled={isDisabled || !isReady}>
            Preview
          </Button>
        )}
      </PermissionGate>
      <PermissionGate permission="scan:write">
        {(isDisabled) => (
          <Button type="submit" name="import" disabled={isDisabled || !isReady}>
            Upload
          </Button>
        )}
      </PermissionGate>
    </div>
  );
}
