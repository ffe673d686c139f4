import { bringIn, type Delivered } from '#domain/findings/bring-in.ts';
import { actorOf } from '#domain/findings/decisions.ts';
import { undoScan } from '#domain/findings/undo-scan.ts';
import * as projects from '#domain/projects/store.ts';
import { ReportProblem } from '#domain/reports/report-problem.ts';
import { actingRules } from '#domain/rules/for-scan.ts';
import { refOf } from '#domain/scans/refs.ts';
import { readReportOf } from '#domain/scans/reports.ts';
import * as scans from '#domain/scans/store.ts';
import { isVisible } from '#domain/scans/visible.ts';
import { registerProject } from '#domain/teams/joining.ts';
import { unknownProjects } from '#domain/teams/members.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import type { Id } from '#kernel/contract/proto.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type Call, group, type ObjectLoader } from '#kernel/http/group.ts';
import * as contract from './contract.ts';

type ImportCall = Call<typeof contract.importReport>;

const COSTLY: ReadonlySet<string> = new Set(['TOO_LARGE', 'TOO_SLOW', 'TOO_MUCH_MEMORY']);

function faultOf(error: unknown): unknown {
  if (!(error instanceof ReportProblem)) return error;
  const fault = COSTLY.has(error.code) ? contract.REPORT_TOO_COSTLY : contract.REPORT_UNREADABLE;
  return fault({ sentence: error.message });
}

/** The project by its name: a new one is made, one that the caller may not see is not there. */
async function projectOf(tx: Tx, { caller, query }: ImportCall): Promise<string> {
  const known = await projects.findByName(tx, caller.deployment, query.project);
  if (known === undefined) return registerProject(tx, { deployment: caller.deployment, name: query.project });
  if ((await unknownProjects(tx, caller, [known])).size > 0) throw NOT_FOUND();
  return known;
}

async function openScan(tx: Tx, call: ImportCall) {
  const { caller, query, now, answer } = call;
  const { deployment } = caller;
  const project = await projectOf(tx, call);
  const ref = refOf(query.ref ?? (await projects.referenceRef(tx, deployment, project)) ?? 'main');
  const branch = await scans.seeRef(tx, { deployment, id: project }, ref);
  const mode = query.mode ?? 'full';
  const scan = await scans.start(tx, {
    deployment,
    project,
    branch,
    source: 'import',
    format: query.format ?? 'auto',
    tool: 'unknown',
    analysisKey: query.category ?? '',
    mode,
    products: [],
    ...(query.commit !== undefined && { commit: query.commit }),
    environment: 'import',
    meta: {},
    startedBy: caller.credential,
    at: now,
  });
  answer.changed({ object: `scan/${scan}`, after: { project, ref: ref.name, mode } });
  return {
    deployment,
    project,
    branch,
    scan,
    mode,
    at: now,
    actor: actorOf(caller),
    acting: await actingRules(tx, { deployment, project }),
    ...(query.commit !== undefined && { commit: query.commit }),
    ...(query.category !== undefined && { category: query.category }),
  };
}

const replyOf = ({ scan, analysisKey: _, tool: __, ...outcome }: Delivered) => ({
  scanId: scan as Id<'Scan'>,
  ...outcome,
});

const loadScan: ObjectLoader = async (tx, { caller, id }) =>
  (await isVisible(tx, caller, id)) ? new Set<string>() : undefined;

/** Reports of any scanner, handed in as they are. */
export const imports = group(
  'ImportsService',
  contract,
  {
    importReport: async (call) => {
      const { query, upload, powers } = call;
      const spooled = await powers.spool.keep(upload);
      try {
        const delivered = await bringIn(call, {
          deployment: call.caller.deployment,
          project: query.project.toLowerCase(),
          spooled,
          parse: {
            format: query.format ?? 'auto',
            ...(query.root !== undefined && { root: query.root }),
          },
          isDryRun: query.dryRun === true,
          isComplete: true,
          begin: (tx) => openScan(tx, call),
        });
        return replyOf(delivered);
      } catch (error) {
        throw faultOf(error);
      } finally {
        await spooled.remove();
      }
    },

    undoImport: async ({ path, tx, caller, now, answer }) => {
      const undoing = { deployment: caller.deployment, scan: path.scanId, actor: actorOf(caller), at: now };
      const undone = await undoScan(tx, undoing);
      if (!undone) throw contract.SCAN_NOT_LAST();
      answer.changed({ object: `scan/${path.scanId}`, after: { status: 'cancelled' } });
      return undone;
    },

    replayImport: async (call) => {
      const { path, caller, powers, now } = call;
      const { deployment } = caller;
      const kept = { deployment, scan: path.scanId };
      const spooled = await call.consult((tx) => powers.spool.keep(readReportOf(tx, kept)));
      try {
        const delivered = await bringIn(call, {
          deployment,
          project: `replay of ${path.scanId}`,
          spooled,
          parse: {},
          isDryRun: true,
          isComplete: false,
          begin: async (tx) => {
            const scan = await scans.find(tx, deployment, path.scanId);
            if (!scan?.branch_id) throw NOT_FOUND();
            const { id, project_id: project, branch_id: branch, mode } = scan;
            return { deployment, project, branch, scan: id, mode, at: now, actor: actorOf(caller) };
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
