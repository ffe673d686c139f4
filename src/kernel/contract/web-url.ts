import { z } from 'zod';

const WEB_URL = /^https?:\/\/[A-Za-z\d]([A-Za-z\d.-]*[A-Za-z\d])?(:\d{1,5})?(\/[!-~]*)?$/;
const LONGEST = 2048;

/** The address of a service outside: no user-info, no spaces; whether this server may go there is asked later. */
export const webUrl = () => z.string().max(LONGEST).regex(WEB_URL, { error: 'expected an https URL' });

/** The same, or empty for none. */
export const optionalWebUrl = () =>
  z
    .string()
    .max(LONGEST)
    .regex(new RegExp(`^$|${WEB_URL.source}`), { error: 'expected an https URL or nothing' })
    .optional();
