import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useOrg } from '#web/org/org.ts';
import { say } from '#web/shell/say.ts';
import { type ReportPlace, sendReport } from './send-report.ts';
import type { ImportResult } from './sentence.ts';

export interface Outcome {
  /** Its place among what was sent: two files may be called the same. */
  index: number;
  fileName: string;
  result: ImportResult;
}

interface Progress {
  place: ReportPlace;
  isDryRun: boolean;
  outcomes: readonly Outcome[];
}

export type Stage =
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
  const [stage, setStage] = useState<Stage>({ kind: 'asking' });
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);
  const send = async (place: ReportPlace, isDryRun: boolean) => {
    const stop = new AbortController();
    running.current = stop;
    const { signal } = stop;
    const outcomes: Outcome[] = [];
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
        if (signal.aborted) say(stoppedText(fileName, share < 1 || isDryRun));
        setStage(signal.aborted ? { kind: 'stopped', ...common } : { kind: 'failed', ...common, fileName, error });
        break;
      }
      if (!isDryRun) void queryClient.invalidateQueries({ queryKey: [org.id] });
      if (index === files.length - 1) setStage({ kind: 'done', ...common });
    }
  };
  return { files, setFiles, stage, send, stop: () => running.current?.abort() };
}
