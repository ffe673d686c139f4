import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { parseRef } from '#domain/scans/refs.ts';
import { runTask, startTask, TaskRefused, taskKind } from '#domain/tasks/task-runner.ts';
import type { Caller } from '#kernel/auth/caller.ts';
import { version as toolVersion } from '#kernel/config/version.ts';
import type { KeyRing } from '#kernel/crypto/keys/key-ring.ts';
import type { Tx } from '#kernel/db/tx.ts';
import type { JobCall, JobHandler } from '#kernel/jobs/handler.ts';
import { type SbomPackage, serializeSbom } from './cyclonedx.ts';
import { SBOM_SUBJECT_UNKNOWN, SbomComponentType, SbomSupplier, SbomVersion } from './shape.ts';
import * as store from './store.ts';

const MAX_COMPONENTS = 50_000;

const sbomExport = taskKind('sbom.export', {
  project: z.string(),
  ref: z.string(),
  version: SbomVersion,
  encoding: z.enum(['json', 'xml']),
  type: SbomComponentType,
  supplier: SbomSupplier.optional(),
});

/** An export request of either API version. */
export interface SbomExportRequest {
  repositoryId: string;
  ref?: string | undefined;
  formatVersion?: { cyclonedxVersion?: SbomVersion | undefined } | undefined;
  metadataComponentType?: SbomComponentType | undefined;
  metadataSupplier?: SbomSupplier | undefined;
  encoding: 'json' | 'xml';
}

/** Starts an SBOM export and returns the token of its task. */
export async function startSbomExport(
  tx: Tx,
  keys: KeyRing,
  { caller, request, now }: { caller: Caller; request: SbomExportRequest; now: Date },
): Promise<{ token: string; ref: string }> {
  const pointer = '#/repositoryId';
  const found = await store.findRef(tx, caller, {
    project: request.repositoryId,
    ref: parseRef(request.ref ?? '').name,
  });
  if (!found.isProject) {
    const detail = 'is not a repository of this deployment';
    throw SBOM_SUBJECT_UNKNOWN(
      { reason: `${pointer} ${detail}` },
      { errors: [{ pointer, code: 'UNKNOWN_REFERENCE', detail }] },
    );
  }
  if (found.ref === undefined && request.ref)
    throw SBOM_SUBJECT_UNKNOWN(
      { reason: '#/ref was never scanned' },
      { errors: [{ pointer: '#/ref', code: 'UNKNOWN_REFERENCE', detail: 'was never scanned' }] },
    );
  const ref = found.ref ?? '';
  const token = await startTask(tx, keys, {
    kind: sbomExport,
    deployment: caller.deployment,
    caller,
    now,
    input: {
      project: request.repositoryId,
      ref,
      version: request.formatVersion?.cyclonedxVersion ?? 'SBOM_CYCLONE_DX_VERSION_V1_4',
      encoding: request.encoding,
      type: request.metadataComponentType ?? 'SBOM_METADATA_COMPONENT_TYPE_CYCLONE_DX_V15_APPLICATION',
      ...(request.metadataSupplier ? { supplier: request.metadataSupplier } : {}),
    },
  });
  return { token, ref };
}

async function componentsOf(read: JobCall['read'], subject: store.SbomSubject): Promise<SbomPackage[]> {
  const all: SbomPackage[] = [];
  for (;;) {
    const last = all.at(-1);
    const page = await read((tx) => store.listComponents(tx, subject, last));
    all.push(...page);
    if (all.length > MAX_COMPONENTS) throw new TaskRefused(`An SBOM can have at most ${MAX_COMPONENTS} components.`);
    if (page.length < store.COMPONENT_PAGE_SIZE) return all;
  }
}

const CONTENT_TYPES = {
  json: 'application/vnd.cyclonedx+json; charset=utf-8',
  xml: 'application/vnd.cyclonedx+xml; charset=utf-8',
};

/** The job handler that writes SBOMs. */
export const sbomExporter = (clock: () => Date = () => new Date()): JobHandler =>
  runTask(sbomExport, async ({ input, deployment, read }) => {
    const subject = { deployment, project: input.project, ref: input.ref };
    const project = await read((tx) => store.findProjectName(tx, subject));
    if (project === undefined) throw new TaskRefused('The repository no longer exists.');
    const components = await componentsOf(read, subject);
    const vulnerabilities = await read((tx) => store.listVulnerabilities(tx, subject));
    const { supplier, type, version, encoding } = input;
    const text = serializeSbom(
      {
        project,
        ref: input.ref,
        type,
        ...(supplier ? { supplier } : {}),
        components,
        vulnerabilities,
        serial: randomUUID(),
        at: clock(),
        toolVersion,
      },
      { version, encoding },
    );
    return {
      name: `sbom-${input.project}.cdx.${encoding}`,
      contentType: CONTENT_TYPES[encoding],
      chunks: () => [text],
    };
  });
