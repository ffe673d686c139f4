import type { InviteResult } from '#domain/invitations/invite-all.ts';

const people = (count: number) => (count === 1 ? '1 person' : `${count} people`);

/** The result of invitations as a message, with the links that the server does not mail. */
export function inviteText({ invited, members }: InviteResult): string {
  const links = invited.flatMap(({ email, link }) => (link === undefined ? [] : [`${email}: ${link}`]));
  return [
    invited.length === 0 ? 'Nobody was invited.' : `${people(invited.length)} invited.`,
    ...(members === 0 ? [] : [`${people(members)} already here.`]),
    ...(links.length === 0
      ? []
      : ['This server sends no mail: hand over these links yourself. Each works once, within 24 hours.', ...links]),
  ].join('\n');
}
