import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { asProblem } from '#web/foundation/api/problem.ts';
import { editor } from '#web/foundation/api/services.ts';

export const engineQuery = queryOptions({
  queryKey: ['editor', 'engine'],
  queryFn: ({ signal }) => editor.getEditorEngine({}, { signal }),
  staleTime: 60_000,
});

export interface PlaygroundInput {
  pattern: string;
  target: string;
  language: string;
}

const MAX_RETRIES = 3;
const RETRY_MS = 1000;

/** Runs the rule. A newer input aborts the run; until the server has ended it, it may refuse the next one. */
export const runQuery = (input: PlaygroundInput) =>
  queryOptions({
    queryKey: ['editor', 'run', input],
    queryFn: ({ signal }) => editor.runPattern({ body: { ...input, isDeep: false, isDebug: false } }, { signal }),
    enabled: input.pattern.trim() !== '',
    placeholderData: keepPreviousData,
    retry: (count, error) => count < MAX_RETRIES && asProblem(error).body.code === 'RATE_LIMITED',
    retryDelay: RETRY_MS,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

export type RuleRun = Awaited<ReturnType<typeof editor.runPattern>>;
