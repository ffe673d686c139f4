import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { id, timestamp } from '#kernel/contract/proto-fields.ts';

export const PASSWORD_TOO_WEAK = fault(
  'PASSWORD_TOO_WEAK',
  400,
  'The password must have 12 to 1024 characters.',
  'Choose a longer password; a sentence is good.',
);

export const email = () => z.email().max(320);
export const password = () => z.string().min(1).max(4096);

export const sessionReplyFields = {
  accessToken: z.string(),
  expiresAt: timestamp(),
  user: z.object({ id: id('User'), email: z.string(), name: z.string() }),
};
