import { z } from 'zod';

const WEB_URL = /^https?:\/\/[A-Za-z\d]([A-Za-z\d.-]*[A-Za-z\d])?(:\d{1,5})?(\/[!-~]*)?$/;
const MAX_LENGTH = 2048;

/** The URL of an external service, without user-info; whether this server may call it is checked later. */
export const webUrl = () => z.string().max(MAX_LENGTH).regex(WEB_URL, { error: 'expected an https URL' });

/** The same, or empty. */
export const optionalWebUrl = () =>
  z
    .string()
    .max(MAX_LENGTH)
    .regex(new RegExp(`^$|${WEB_URL.source}`), { error: 'expected an https URL or nothing' })
    .optional();
