import { join } from 'node:path';
import type { Config } from '#kernel/config/config.ts';
import type { Database } from '#kernel/db/database.ts';
import { InstanceCheck } from '#kernel/db/instance-check.ts';

export const instanceCheckOf = ({ databaseUrl, dataDir }: Config, db: Database): InstanceCheck =>
  new InstanceCheck({ db, folder: databaseUrl === '' ? join(dataDir, 'postgres') : undefined });
