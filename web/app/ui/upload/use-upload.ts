import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { ImportResult } from './import-summary.ts';
import { type ReportTarget, sendReport } from './send-report.ts';

export interface UploadOutcome {
  /** Position among the uploaded files, because two files may have the same name. */
  index: number;
  fileName: string;
  result: ImportResult;
}

interface Progress {
  target: ReportTarget;
  isDryRun: boolean;
  outcomes: readonly UploadOutcome[];
}

export type UploadState =
  | { kind: 'asking' }
  | (Progress & { kind: 'sending'; fileName: string; fraction: number })
  | (Progress & { kind: 'stopped' })
  | (Progress & { kind: 'failed'; fileName: string; error: unknown })
  | (Progress & { kind: 'done' });

const stoppedText = (fileName: string, isUnsent: boolean) =>
  isUnsent
    ? `The upload of ${fileName} was stopped.`
    : `${fileName} was already received; the server may still import it.`;

/** Uploads reports one after the other, until one fails or the component unmounts. */
export function useUpload(initialFiles: readonly File[]) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [files, setFiles] = useState(initialFiles);
  const [stage, setStage] = useState<UploadState>({ kind: 'asking' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (target: ReportTarget, isDryRun: boolean) => {
    const stop = new AbortController();
    running.current = stop;
    const { signal } = stop;
    const outcomes: UploadOutcome[] = [];
    const common = { target, isDryRun, outcomes };
    for (const [index, file] of files.entries()) {
      const fileName = file.name;
      let fraction = 0;
      const onProgress = (now: number) => {
        fraction = now;
        setStage({ kind: 'sending', ...common, fileName, fraction });
      };
      onProgress(0);
      try {
        const result = await sendReport({ ...target, deployment: org.id, file, isDryRun, onProgress, signal });
        outcomes.push({ index, fileName, result });
      } catch (error) {
        // Files that were already imported are not sent again.
        if (!isDryRun) setFiles(files.slice(index));
        if (signal.aborted) notify(stoppedText(fileName, fraction < 1 || isDryRun));
        setStage(signal.aborted ? { kind: 'stopped', ...common } : { kind: 'failed', ...common, fileName, error });
        break;
      }
      if (!isDryRun) void queryClient.invalidateQueries({ queryKey: [org.id] });
      if (index === files.length - 1) setStage({ kind: 'done', ...common });
    }
  };
  return { files, setFiles, stage, send, stop: () => running.current?.abort() };
}
