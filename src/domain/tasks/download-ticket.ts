import { z } from 'zod';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import { seal, unseal } from '#kernel/crypto/sealed-text.ts';

const LIFETIME_MS = 15 * 60_000;
const PURPOSE = 'task download';

const Content = z.object({ deployment: z.string(), task: z.string(), until: z.number() });

/** Identifies a task. */
export interface TaskRef {
  deployment: string;
  task: string;
}

/** A sealed ticket for a download link: whoever has it may download this one result for 15 minutes. */
export const issueDownloadTicket = (keys: KeyRing, { deployment, task }: TaskRef, now: Date): string =>
  seal(keys.derive('task-download'), PURPOSE, JSON.stringify({ deployment, task, until: now.getTime() + LIFETIME_MS }));

/** The task of a ticket; undefined if the ticket is invalid or has expired. */
export function verifyDownloadTicket(keys: KeyRing, ticket: string, now: Date): TaskRef | undefined {
  const payload = unseal(keys.derive('task-download'), PURPOSE, ticket);
  if (!payload) return undefined;
  const { deployment, task, until } = Content.parse(JSON.parse(payload.toString('utf8')));
  return until < now.getTime() ? undefined : { deployment, task };
}

export const downloadUrl = (baseUrl: string, ticket: string): string => `${baseUrl}/api/tasks/v1/downloads/${ticket}`;
