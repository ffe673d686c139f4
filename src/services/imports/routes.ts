import { randomUUID } from 'node:crypto';
import { type ImportResult, importSpooledReport } from '#domain/findings/ingest/import-report.ts';
import { undoScan } from '#domain/findings/ingest/undo-scan.ts';
import { actorOf } from '#domain/findings/triage/decisions.ts';
import { withoutUserInformation } from '#domain/projects/clone-address-rules.ts';
import { requireProjectName } from '#domain/projects/limited-name.ts';
import * as projects from '#domain/projects/store.ts';
import type { ReadOptions } from '#domain/reports/formats/read-report.ts';
import { MappingError, readMapping } from '#domain/reports/mapping/read-mapping.ts';
import { fieldErrorOf, ReportError } from '#domain/reports/report-error.ts';
import { REPORT_FORMATS } from '#domain/reports/shape.ts';
import { parseRef } from '#domain/scans/refs.ts';
import { streamReport } from '#domain/scans/scan-report.ts';
import { isScanVisible } from '#domain/scans/scan-visibility.ts';
import * as scans from '#domain/scans/store.ts';
import { registerProject } from '#domain/teams/enrollment.ts';
import { findUnknownProjects } from '#domain/teams/members.ts';
import { listEnforcedRules } from '#domain/unified-policies/scan-rules.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group, type ObjectLoader } from '#kernel/http/pipeline/group.ts';
import type { Services } from '#kernel/http/pipeline/services.ts';
import * as contract from './contract.ts';

type ImportCall = Call<typeof contract.importReport>;

const TOO_COSTLY_CODES: ReadonlySet<string> = new Set(['TOO_LARGE', 'TOO_SLOW', 'TOO_MUCH_MEMORY']);

function faultOf(error: unknown): unknown {
  if (!(error instanceof ReportError)) return error;
  const fault = TOO_COSTLY_CODES.has(error.code) ? contract.REPORT_TOO_COSTLY : contract.REPORT_UNREADABLE;
  return fault({ sentence: error.message }, { errors: [fieldErrorOf(error)] });
}

/**
 * Finds the project by name or creates it. A project that the caller may not see is not found; a dry run answers as if
 * there were none, so that it tells nothing about names.
 */
async function findOrCreateProject(tx: Tx, { caller, query }: ImportCall): Promise<string> {
  const name = withoutUserInformation(query.project);
  requireProjectName(caller, name);
  const known = await projects.findIdByName(tx, caller.deployment, name);
  const { deployment } = caller;
  if (known === undefined) return registerProject(tx, { deployment, name }, caller);
  if ((await findUnknownProjects(tx, caller, [known])).size === 0) return known;
  if (query.dryRun !== true) throw NOT_FOUND();
  return registerProject(tx, { deployment, name: `${name} ${randomUUID()}` }, caller);
}

async function openScan(tx: Tx, call: ImportCall) {
  const { caller, query, now, answer } = call;
  const { deployment } = caller;
  const project = await findOrCreateProject(tx, call);
  const ref = parseRef(query.ref ?? (await projects.findPrimaryRef(tx, deployment, project)) ?? 'main');
  const refId = await scans.recordRef(tx, { deployment, id: project }, ref);
  const mode = query.mode ?? 'full';
  const scan = await scans.start(tx, {
    deployment,
    project,
    ref: refId,
    source: 'import',
    format: query.format ?? 'auto',
    tool: 'unknown',
    analysisKey: query.category ?? '',
    mode,
    products: [],
    ...(query.commit !== undefined && { commit: query.commit }),
    environment: 'import',
    meta: query.mapping === undefined ? {} : { mapping: query.mapping },
    startedBy: caller.credential,
    at: now,
  });
  answer.recordEffect({ object: `scan/${scan}`, after: { project, ref: ref.name, mode } });
  return {
    deployment,
    project,
    ref: refId,
    scan,
    mode,
    at: now,
    actor: actorOf(caller),
    policyModes: await listEnforcedRules(tx, { deployment, project }),
    ...(query.commit !== undefined && { commit: query.commit }),
    ...(query.category !== undefined && { category: query.category }),
  };
}

/** The mapping of a name, to read a report with. */
async function mappingOptions(
  { formatsDir }: Services,
  name: string | undefined,
): Promise<Pick<ReadOptions, 'mapping'>> {
  if (name === undefined) return {};
  try {
    return { mapping: await readMapping(formatsDir, name) };
  } catch (error) {
    if (!(error instanceof MappingError)) throw error;
    throw contract.MAPPING_UNUSABLE({ name, sentence: error.message });
  }
}

/** How a stored report was read: by its mapping, else in its format. */
async function optionsOfScan(services: Services, { format, meta }: scans.StoredScan): Promise<ReadOptions> {
  if (typeof meta['mapping'] === 'string') return mappingOptions(services, meta['mapping']);
  const known = REPORT_FORMATS.find((name) => name === format);
  return known === undefined ? {} : { format: known };
}

const replyOf = ({ scan, analysisKey: _, tool: __, ...outcome }: ImportResult) => ({
  scanId: scan as Id<'Scan'>,
  ...outcome,
});

const loadScan: ObjectLoader = async (tx, { caller, id }) =>
  (await isScanVisible(tx, caller, id)) ? new Set<string>() : undefined;

/** ImportsService: reports of any scanner. */
export const imports = group(
  'ImportsService',
  contract,
  {
    importReport: async (call) => {
      const { query, upload, services } = call;
      const spooled = await services.spool.receive(upload);
      try {
        const delivered = await importSpooledReport(call, {
          deployment: call.caller.deployment,
          project: query.project.toLowerCase(),
          spooled,
          parse: {
            format: query.format ?? 'auto',
            ...(await mappingOptions(services, query.mapping)),
            ...(query.root !== undefined && { root: query.root }),
          },
          isDryRun: query.dryRun === true,
          isComplete: true,
          startScan: (tx) => openScan(tx, call),
        });
        return replyOf(delivered);
      } catch (error) {
        throw faultOf(error);
      } finally {
        await spooled.remove();
      }
    },

    undoImport: async ({ path, tx, caller, now, answer }) => {
      const request = { deployment: caller.deployment, scan: path.scanId, actor: actorOf(caller), at: now };
      const undone = await undoScan(tx, request);
      if (!undone) throw contract.SCAN_NOT_LAST();
      answer.recordEffect({ object: `scan/${path.scanId}`, after: { status: 'cancelled' } });
      return undone;
    },

    replayImport: async (call) => {
      const { path, caller, services, now } = call;
      const { deployment } = caller;
      const source = { deployment, scan: path.scanId };
      const stored = await call.read((tx) => scans.find(tx, deployment, path.scanId));
      const parse = stored ? await optionsOfScan(services, stored) : {};
      const spooled = await call.read((tx) => services.spool.receive(streamReport(tx, source)));
      try {
        const delivered = await importSpooledReport(call, {
          deployment,
          project: `replay of ${path.scanId}`,
          spooled,
          parse,
          isDryRun: true,
          isComplete: false,
          startScan: async (tx) => {
            const scan = await scans.find(tx, deployment, path.scanId);
            if (!scan?.ref_id) throw NOT_FOUND();
            const { id, project_id: project, ref_id: ref, mode } = scan;
            return { deployment, project, ref, scan: id, mode, at: now, actor: actorOf(caller) };
          },
        });
        return replyOf(delivered);
      } catch (error) {
        throw faultOf(error);
      } finally {
        await spooled.remove();
      }
    },
  },
  { objects: { scanId: loadScan } },
);
