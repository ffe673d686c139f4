import { reveal, type Secret } from '#kernel/crypto/secret.ts';

/** The token is in the fragment, which browsers send to no server, so that no proxy logs it. */
export const invitationLink = (baseUrl: string, token: Secret): string => `${baseUrl}/invitation#t=${reveal(token)}`;
