import { z } from 'zod';
import { OperatorError } from '#kernel/errors/operator-error.ts';
import type { Database, DatabaseRole } from './database.ts';

const CurrentUser = z.object({ name: z.string() });
const ROLES: readonly DatabaseRole[] = ['app', 'auth', 'background'];

/**
 * Checks that sessions have the roles of the program. A proxy that drops the options of a connection would leave them
 * the role of the URL, to which row-level security may not apply.
 */
export async function requireRoles(db: Database): Promise<void> {
  for (const role of ROLES) {
    const found = await db.transaction(
      { role, isRead: true },
      (tx) => tx.one(CurrentUser)`select current_user::text as name`,
    );
    if (found?.name === `parapet_${role}`) continue;
    throw new OperatorError(
      `A session of the database has the role ${found?.name} instead of parapet_${role}. ` +
        'A proxy before PostgreSQL drops the options of connections: let it pass them on, ' +
        'or let PARAPET_DATABASE_URL name PostgreSQL itself.',
    );
  }
}
