import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import './upload.css';

const UploadDialog = lazy(() => import('./upload-dialog.tsx').then((module) => ({ default: module.UploadDialog })));

const OPEN_EVENT = 'parapet-upload';

/** Opens the upload dialog from anywhere: a button, the palette, an empty list. */
export const openUpload = (project = ''): void =>
  void dispatchEvent(new CustomEvent(OPEN_EVENT, { detail: { files: [], project } }));

interface UploadRequest {
  files: File[];
  project: string;
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** Accepts reports dropped anywhere on the page and shows the upload dialog. */
export function UploadDrop() {
  const [isOver, setIsOver] = useState(false);
  const [request, setRequest] = useState<UploadRequest & { turn: number }>();
  const isBusy = useRef(false);
  const setBusy = useCallback((isNow: boolean) => {
    isBusy.current = isNow;
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    // An open dialog restarts with the new files, unless it is uploading.
    const openDialog = (next: UploadRequest) => {
      if (isBusy.current) notify('An upload is already running. Try again when it has finished.');
      else setRequest((before) => ({ ...next, turn: (before?.turn ?? 0) + 1 }));
    };
    const on = <Name extends keyof WindowEventMap>(name: Name, listen: (event: WindowEventMap[Name]) => void) =>
      addEventListener(name, listen, { signal: stop.signal });
    on('dragover', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(true);
    });
    on('dragleave', (event) => {
      if (event.relatedTarget === null) setIsOver(false);
    });
    on('drop', (event) => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setIsOver(false);
      openDialog({ files: [...(event.dataTransfer?.files ?? [])], project: '' });
    });
    addEventListener(OPEN_EVENT, (event) => openDialog((event as CustomEvent<UploadRequest>).detail), {
      signal: stop.signal,
    });
    return () => stop.abort();
  }, []);
  return (
    <>
      {isOver && (
        <div className="upload-drop-overlay" role="status">
          Drop a scanner report: SARIF, CycloneDX, SPDX, Semgrep, GitLab and more
        </div>
      )}
      {request && (
        <Suspense>
          <UploadDialog
            key={request.turn}
            files={request.files}
            project={request.project}
            onBusy={setBusy}
            onClose={() => setRequest(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
