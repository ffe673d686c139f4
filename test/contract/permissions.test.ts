import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ORG_ROLES, PERMISSIONS, permissionsOf } from '#domain/access/roles.ts';
import { operations } from '#test/support/http/operations.ts';

const isFor = (allow: string) => allow.includes(':');

describe('permissions', () => {
  /**
   * Declared before the operations that require them. `checklist:manage` is required by one change, not by the route.
   */
  const UNUSED_YET = ['checklist:manage'];
  const named = new Set(operations.map(({ bound }) => bound.operation.allow).filter(isFor));

  test('of operations are in the table of roles', () => {
    const known: readonly string[] = PERMISSIONS;
    assert.deepEqual(
      [...named].filter((permission) => !known.includes(permission)),
      [],
    );
  });

  test('in the table of roles are required by an operation or listed as unused', () => {
    assert.deepEqual(PERMISSIONS.filter((permission) => !named.has(permission)).sort(), UNUSED_YET);
  });

  test('that end in :read are required exactly by the operations that only read, but for previews', () => {
    const wrong = operations.filter(({ bound: { operation } }) => {
      if (!isFor(operation.allow)) return false;
      return operation.isRead !== operation.allow.endsWith(':read');
    });
    // A preview of a policy tells which names exist; reading metadata calls another server.
    assert.deepEqual(wrong.map(({ id }) => id).toSorted(), [
      'PoliciesV2Service_DryRunDetectionPolicy',
      'PoliciesV2Service_DryRunRemediationPolicies',
      'PoliciesV2Service_PreviewMigration',
      'SsoSettingsService_ReadSamlMetadata',
    ]);
  });

  test('an administrator has all permissions, and each is missing in some role', () => {
    for (const permission of PERMISSIONS) {
      assert.ok(permissionsOf('ORG_ROLE_ADMIN').has(permission));
      assert.ok(ORG_ROLES.some((role) => !permissionsOf(role).has(permission)));
    }
  });

  test('of each role equal the committed list', () => {
    const lines = ORG_ROLES.flatMap((role) =>
      PERMISSIONS.map(
        (permission) => `${role} ${permissionsOf(role).has(permission) ? 'may' : 'may not'} ${permission}`,
      ),
    );
    assert.equal(readFileSync('test/contract/roles.txt', 'utf8'), `${lines.join('\n')}\n`, 'run npm run derive');
  });
});
