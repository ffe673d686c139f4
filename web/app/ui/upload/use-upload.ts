import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { notify } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import type { ImportResult } from './import-summary.ts';
import { type ReportTarget, sendReport } from './send-report.ts';

export interface UploadOutcome {
  /** Its place among what was sent: two files may be called the same. */
  index: number;
  fileName: string;
  result: ImportResult;
}

interface Progress {
  place: ReportTarget;
  isDryRun: boolean;
  outcomes: readonly UploadOutcome[];
}

export type UploadState =
  | { kind: 'asking' }
  | (Progress & { kind: 'sending'; fileName: string; share: number })
  | (Progress & { kind: 'stopped' })
  | (Progress & { kind: 'failed'; fileName: string; error: unknown })
  | (Progress & { kind: 'done' });

const stoppedText = (fileName: string, isWithoutTrace: boolean) =>
  isWithoutTrace
    ? `The upload of ${fileName} was stopped.`
    : `${fileName} was received already; the server may still take it in.`;

/** Hands in reports one after the other, until one fails or the component goes away. */
export function useUpload(given: readonly File[]) {
  const org = useOrg();
  const queryClient = useQueryClient();
  const [files, setFiles] = useState(given);
  const [stage, setStage] = useState<UploadState>({ kind: 'asking' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (place: ReportTarget, isDryRun: boolean) => {
    const stop = new AbortController();
    running.current = stop;
    const { signal } = stop;
    const outcomes: UploadOutcome[] = [];
    const common = { place, isDryRun, outcomes };
    for (const [index, file] of files.entries()) {
      const fileName = file.name;
      let share = 0;
      const onProgress = (now: number) => {
        share = now;
        setStage({ kind: 'sending', ...common, fileName, share });
      };
      onProgress(0);
      try {
        const result = await sendReport({ ...place, deployment: org.id, file, isDryRun, onProgress, signal });
        outcomes.push({ index, fileName, result });
      } catch (error) {
        // What was taken in is not sent a second time.
        if (!isDryRun) setFiles(files.slice(index));
        if (signal.aborted) notify(stoppedText(fileName, share < 1 || isDryRun));
        setStage(signal.aborted ? { kind: 'stopped', ...common } : { kind: 'failed', ...common, fileName, error });
        break;
      }
      if (!isDryRun) void queryClient.invalidateQueries({ queryKey: [org.id] });
      if (index === files.length - 1) setStage({ kind: 'done', ...common });
    }
  };
  return { files, setFiles, stage, send, stop: () => running.current?.abort() };
}
