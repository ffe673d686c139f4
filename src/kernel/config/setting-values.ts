import { isIP } from 'node:net';
import { z } from 'zod';
import { Secret } from '#kernel/crypto/secret.ts';

/** How texts of settings are read; each returns undefined for a value that is not allowed. */

export const integer = (min: number, max: number) => (text: string) => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : undefined;
};
export const anyText = (text: string) => text;
export const origin = (text: string) => {
  if (text === '') return '';
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && url.origin !== 'null' ? url.origin : undefined;
};
export const host = (text: string) => (isIP(text) || /^[A-Za-z0-9.-]{1,253}$/.test(text) ? text : undefined);
export const email = (text: string) => (text === '' || z.email().safeParse(text).success ? text : undefined);
const hasParameter = (url: string, name: string) => new URLSearchParams(url.split('?')[1]).has(name);
/** A URL with `options` is refused: the driver would use these instead of ours, which set the role of a session. */
export const databaseUrl = (text: string) =>
  text === '' || (/^postgres(ql)?:\/\//.test(text) && !hasParameter(text, 'options')) ? text : undefined;
export const secret = (text: string) => new Secret(text);
export const smtpUrl = (text: string) =>
  text === '' || (/^smtps?:\/\/[^/]/.test(text) && URL.canParse(text)) ? new Secret(text) : undefined;
export const sender = (text: string) => (/^[^\p{Cc}]{1,320}$/u.test(text) && text.includes('@') ? text : undefined);
