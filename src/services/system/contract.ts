import { z } from 'zod';
import { operation } from '#kernel/contract/operation.ts';
import { deployment, id, timestamp } from '#kernel/contract/proto-fields.ts';

export const getSystemStatus = operation({
  route: 'GET /api/system/v1/deployments/{deploymentId}/status',
  summary: 'Get the status of the server',
  description:
    'Versions, database, jobs, disk and memory of the process that replies. Jobs are those of the deployment and of ' +
    'the server itself; the latest 20 dead jobs are listed. `disk` is the disk with the least ' +
    'free space that the server writes to, if the operating system reports it.',
  maturity: 'experimental',
  allow: 'system:read',
  isExtension: true,
  transaction: 'manual',
  path: { deploymentId: deployment() },
  reply: {
    version: z.string(),
    node: z.string(),
    startedAt: timestamp(),
    database: z.object({ version: z.string(), sizeBytes: z.int(), isEmbedded: z.boolean() }),
    migrations: z.object({ applied: z.int(), pending: z.int() }),
    jobs: z.object({ waiting: z.int(), running: z.int(), dead: z.int(), oldestWaitingSeconds: z.int() }),
    deadJobs: z.array(z.object({ id: id('Job'), kind: z.string(), failedAt: timestamp(), error: z.string() })),
    disk: z.object({ freeBytes: z.int(), totalBytes: z.int() }).optional(),
    memoryBytes: z.int(),
  },
});

export const listSystemWarnings = operation({
  route: 'GET /api/system/v1/deployments/{deploymentId}/warnings',
  summary: 'List what the operator of the server should act on',
  description:
    'Cheap enough to be asked every minute. `DISK_LOW`: a disk that the server writes to is filling up. `DISK_FULL`: ' +
    'imports and other uploads are refused (507) until there is more space. `JOBS_STALLED`: jobs have been due for ' +
    'more than ten minutes, and no process runs jobs. `DATABASE_COPY`: the database seems to be restored, so nothing ' +
    'is sent until `parapet release`.',
  maturity: 'experimental',
  allow: 'system:read',
  isExtension: true,
  transaction: 'manual',
  path: { deploymentId: deployment() },
  reply: {
    warnings: z.array(
      z.object({ code: z.enum(['DISK_LOW', 'DISK_FULL', 'JOBS_STALLED', 'DATABASE_COPY']), message: z.string() }),
    ),
  },
});
