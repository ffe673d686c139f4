import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import './upload.css';

const UploadDialog = lazy(() => import('./upload-dialog.tsx').then((module) => ({ default: module.UploadDialog })));

const WANTED = 'parapet-upload';

/** Opens the dialog from anywhere: a button, the palette, an empty list. */
export const openUpload = (project = ''): void =>
  void dispatchEvent(new CustomEvent(WANTED, { detail: { files: [], project } }));

interface Wanted {
  files: File[];
  project: string;
}

const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;

/** A report can be dropped on any page. */
export function UploadDrop() {
  const [isOver, setIsOver] = useState(false);
  const [wanted, setWanted] = useState<Wanted & { turn: number }>();
  const isBusy = useRef(false);
  const noteBusy = useCallback((isNow: boolean) => {
    isBusy.current = isNow;
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    // A dialog that is open begins again with what came last; one that is sending goes on.
    const want = (next: Wanted) => {
      if (isBusy.current) notify('An upload is running: try again when it is done.');
      else setWanted((before) => ({ ...next, turn: (before?.turn ?? 0) + 1 }));
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
      want({ files: [...(event.dataTransfer?.files ?? [])], project: '' });
    });
    addEventListener(WANTED, (event) => want((event as CustomEvent<Wanted>).detail), { signal: stop.signal });
    return () => stop.abort();
  }, []);
  return (
    <>
      {isOver && (
        <div className="upload-over" role="status">
          Drop the report of a scanner: SARIF, CycloneDX, SPDX, Semgrep, GitLab and more
        </div>
      )}
      {wanted && (
        <Suspense>
          <UploadDialog
            key={wanted.turn}
            files={wanted.files}
            project={wanted.project}
            onBusy={noteBusy}
            onClose={() => setWanted(undefined)}
          />
        </Suspense>
      )}
    </>
  );
}
