import { z } from 'zod';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import type { Database, DatabaseRole } from './database.ts';

const CurrentUser = z.object({ name: z.string() });
const ROLES: readonly DatabaseRole[] = ['app', 'auth', 'background'];
/** A user who is not a member of a role gets one or the other, depending on the version of PostgreSQL. */
const NOT_A_MEMBER = ['42501', '22023'];

/**
 * Checks that sessions have the roles of the program. A proxy that drops the options of a connection would leave them
 * the role of the URL, to which row-level security may not apply.
 */
export async function requireRoles(db: Database): Promise<void> {
  for (const role of ROLES) {
    const name = await currentUser(db, role);
    if (name === `parapet_${role}`) continue;
    throw new OperatorError(
      `A session of the database has the role ${name} instead of parapet_${role}. ` +
        'A proxy before PostgreSQL drops the options of connections: let it pass them on, ' +
        'or let PARAPET_DATABASE_URL name PostgreSQL itself.',
    );
  }
}

async function currentUser(db: Database, role: DatabaseRole): Promise<string | undefined> {
  try {
    const found = await db.transaction(
      { role, isRead: true },
      (tx) => tx.one(CurrentUser)`select current_user::text as name`,
    );
    return found?.name;
  } catch (error) {
    if (!NOT_A_MEMBER.includes(String((error as { code?: unknown }).code))) throw error;
    throw new OperatorError(
      `The user of PARAPET_DATABASE_URL is not a member of parapet_${role}. Another database has created the roles, ` +
        'so a superuser must run: grant parapet_app, parapet_auth, parapet_background to <user>',
      { cause: error },
    );
  }
}
