import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { sbomExporter } from '#domain/sboms/sbom-export.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';
import { JobWorker } from '#kernel/jobs/worker.ts';
import { makeLog } from '#kernel/log/log.ts';
import * as v2 from '#services/supply-chain/v2/contract.ts';
import * as tasks from '#services/tasks/contract.ts';
import { plantAdvisory, plantDependencies } from '#test/support/factories/dependencies.ts';
import { waitFor } from '#test/support/wait.ts';
import { type TestDeployment, World } from '#test/support/world/world.ts';
import * as contract from './contract.ts';

let world: World;
let place: TestDeployment;
let project: Id<'Project'>;
let token: string;
let worker: JobWorker;

before(async () => {
  world = await World.start();
  place = await world.deployment();
  project = (await world.project(place, 'acme/shop')) as Id<'Project'>;
  token = (await world.token(place)).text;
  await plantDependencies(world, place, {
    project,
    rows: [
      { package: '@acme/left', version: '1.0.0', licenses: ['MIT'] },
      { package: '@acme/left', version: '1.0.0', path: 'web/package-lock.json', transitivity: 'transitive' },
      { package: 'deep', version: '2.0.0', transitivity: 'transitive', purl: 'pkg:npm/deep@2.0.0?vcs_url=x' },
    ],
  });
  await plantDependencies(world, place, { project, ref: 'dev', rows: [{ package: 'new', version: '0.1.0' }] });
  await plantAdvisory(world, place, { project, advisory: 'CVE-2024-1', package: '@acme/left', version: '1.0.0' });
  const { db } = world.assembly;
  const { connection } = world.database;
  worker = new JobWorker({ db, connection, log: makeLog('silent'), workerId: 'test', handlers: [sbomExporter()] });
  worker.start();
});
after(async () => {
  await worker.stop();
  await world.stop();
});

const path = () => ({ deploymentId: place.id as Id<'Deployment'> });
const older = () => world.as(contract, token);

const ended = (taskToken: string) =>
  waitFor(async () => {
    const { body } = await older().getSbomExport({ path: { ...path(), taskToken } });
    return body.status === 'SBOM_EXPORT_STATUS_IN_PROGRESS' ? undefined : body;
  });

describe('an SBOM export', () => {
  test('is a CycloneDX 1.4 JSON document of the primary ref, downloaded from the polled URL', async () => {
    const { body } = await older().createSbomExport({ path: path(), body: { repositoryId: project } });
    const { status, downloadUrl, errorMessage } = await ended(body.taskToken);
    assert.deepEqual([status, errorMessage], ['SBOM_EXPORT_STATUS_COMPLETED', '']);
    const response = await fetch(downloadUrl);
    assert.equal(response.headers.get('content-type'), 'application/vnd.cyclonedx+json; charset=utf-8');
    const bom = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([bom['bomFormat'], bom['specVersion']], ['CycloneDX', '1.4']);
    assert.deepEqual(
      (bom['components'] as { name: string; purl: string; properties: { value: string }[] }[]).map((one) => [
        one.purl,
        one.properties?.map(({ value }) => value) ?? [],
      ]),
      [
        ['pkg:npm/%40acme/left@1.0.0', ['package-lock.json', 'web/package-lock.json']],
        ['pkg:npm/deep@2.0.0?vcs_url=x', ['package-lock.json']],
      ],
    );
    assert.deepEqual(
      (bom['vulnerabilities'] as { id: string; affects: object[] }[]).map(({ id, affects }) => [id, affects]),
      [['CVE-2024-1', [{ ref: 'pkg:npm/%40acme/left@1.0.0' }]]],
    );
  });

  test('in XML of another ref is requested through v2 and polled through TasksService', async () => {
    const admin = (contractOf: typeof v2) => world.as(contractOf, place.admin.jwt);
    const { status, body } = await admin(v2).generateSbomAsync({
      path: path(),
      body: {
        repositoryId: project,
        ref: 'refs/heads/dev',
        formatVersion: { cyclonedxVersion: 'SBOM_CYCLONE_DX_VERSION_V1_7' },
        sbomOutputFormat: 'SBOM_OUTPUT_FORMAT_XML',
      },
    });
    assert.equal(status, 202);
    const taskPath = { taskTokenJwt: body.taskTokenJwt };
    const result = await waitFor(async () => {
      const { taskResult } = (await world.as(tasks, place.admin.jwt).getTaskResult({ path: taskPath })).body;
      return taskResult?.status === 'TASK_STATUS_COMPLETED' ? taskResult.resultString : undefined;
    });
    const text = await (await fetch(result)).text();
    assert.match(
      text,
      /^<\?xml version="1.0" encoding="UTF-8"\?>\n<bom xmlns="http:\/\/cyclonedx.org\/schema\/bom\/1.7"/,
    );
    assert.match(text, /<purl>pkg:npm\/new@0.1.0<\/purl>/);
  });

  test('of a missing, invisible or never scanned ref gives the same error', async () => {
    const foreign = await world.deployment();
    const theirs = (await world.project(foreign)) as Id<'Project'>;
    const refuse = async (jwt: string, body: { repositoryId: Id<'Project'>; ref?: string }) => {
      const answer = await world.as(contract, jwt).createSbomExport({ path: path(), body });
      return [answer.status, (answer.body as unknown as { errors: object[] }).errors] as const;
    };
    const absent = await refuse(place.admin.jwt, { repositoryId: '999999' as Id<'Project'> });
    assert.equal(absent[0], 400);
    assert.deepEqual(await refuse(place.admin.jwt, { repositoryId: theirs }), absent);
    assert.deepEqual(await refuse((await world.memberWithoutTeam(place)).jwt, { repositoryId: project }), absent);
    const [status, errors] = await refuse(place.admin.jwt, { repositoryId: project, ref: 'nowhere' });
    assert.deepEqual(
      [status, errors],
      [400, [{ pointer: '#/ref', code: 'UNKNOWN_REFERENCE', detail: 'was never scanned' }]],
    );
  });

  test('of a project without scans is empty', async () => {
    const bare = (await world.project(place)) as Id<'Project'>;
    const { body } = await older().createSbomExport({ path: path(), body: { repositoryId: bare } });
    const { downloadUrl } = await ended(body.taskToken);
    const bom = (await (await fetch(downloadUrl)).json()) as { components?: object[] };
    assert.deepEqual(bom.components ?? [], []);
  });

  test('of a project deleted meanwhile fails with a reason', async () => {
    await worker.stop();
    const gone = (await world.project(place)) as Id<'Project'>;
    const { body } = await older().createSbomExport({ path: path(), body: { repositoryId: gone } });
    await world.queryAsOwner(`delete from project where id = ${gone}`);
    const { db } = world.assembly;
    const { connection } = world.database;
    worker = new JobWorker({ db, connection, log: makeLog('silent'), workerId: 'again', handlers: [sbomExporter()] });
    worker.start();
    assert.deepEqual(await ended(body.taskToken), {
      status: 'SBOM_EXPORT_STATUS_FAILED',
      downloadUrl: '',
      errorMessage: 'The repository no longer exists.',
    });
  });
});
