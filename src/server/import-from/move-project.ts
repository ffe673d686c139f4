import { applyDecisions } from './move-decisions.ts';
import { problemOf } from './move-target.ts';
import type { ProjectMove } from './project-move.ts';
import { ReportSpool, type SpooledReport } from './report-spool.ts';

/** Moves one project: its findings as reports, then decisions, tags and the primary branch. */
export async function moveProject(move: ProjectMove): Promise<void> {
  const { source, project, tally } = move;
  const spool = await ReportSpool.create(source);
  try {
    for await (const finding of source.findings(project, tally)) await spool.add(finding);
    for (const report of await spool.finish()) await sendReport(move, report);
    tally.carry('projects');
    if (move.isDryRun) {
      tally.carry('decisions and notes', spool.decisionCount);
      tally.carry('tags', project.tags.length);
      return;
    }
    await applyDecisions(move, spool);
    await setPrimaryRef(move);
    await addTags(move);
  } finally {
    await spool.remove();
  }
}

async function sendReport({ source, target, project, tally, isDryRun }: ProjectMove, report: SpooledReport) {
  const { slug } = target.deployment;
  const { body } = await target.call(`the findings of ${project.name}`, ({ imports }) =>
    imports.importReport({
      path: { deployment: slug },
      query: {
        project: project.name,
        format: source.format,
        dryRun: isDryRun,
        ...(project.ref !== undefined && { ref: project.ref }),
      },
      upload: report.read(),
    }),
  );
  tally.carry('findings', report.count);
  tally.carry('findings that are new here', body.opened);
  for (const warning of body.warnings) tally.leave(`warning of an import: ${warning}`);
}

/** A project that did not exist gets its first branch as the primary one. */
async function setPrimaryRef({ target, project, tally }: ProjectMove): Promise<void> {
  const { primaryRef } = project;
  if (primaryRef === undefined) return;
  const { slug } = target.deployment;
  const reply = await target.try(({ projects }) =>
    projects.updateProject({
      path: { deploymentSlug: slug, projectName: project.name },
      body: { primary_branch: primaryRef },
    }),
  );
  if (reply.status !== 200) tally.fail(`primary branch of a project: ${problemOf(reply)}`);
}

async function addTags({ target, project, tally }: ProjectMove): Promise<void> {
  if (project.tags.length === 0) return;
  const { slug } = target.deployment;
  const reply = await target.try(({ projects }) =>
    projects.addProjectTags({
      path: { deploymentSlug: slug, projectName: project.name },
      body: { tags: project.tags },
    }),
  );
  if (reply.status === 200) tally.carry('tags', project.tags.length);
  else tally.fail(`tags of a project: ${problemOf(reply)}`, project.tags.length);
}
