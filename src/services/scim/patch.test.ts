import assert from 'node:assert/strict';
import { test } from 'node:test';
import { applyPatch, PatchError, type PatchOperation } from './patch.ts';

const ATTRIBUTES = {
  userName: {},
  active: {},
  displayName: {},
  name: { sub: ['familyName', 'givenName'] },
  emails: { isMulti: true, sub: ['value', 'type', 'primary'] },
  members: { isMulti: true, sub: ['value'] },
};
const before = {
  userName: 'ada',
  active: true,
  name: { familyName: 'Byron' },
  emails: [{ value: 'a@example.com', type: 'work', primary: true }],
  members: [{ value: '1' }, { value: '2' }],
};
const patch = (...operations: PatchOperation[]) => applyPatch(before, operations, ATTRIBUTES);

test('values are added, replaced and removed as identity providers write it', () => {
  assert.equal(patch({ op: 'Replace', path: 'active', value: 'False' })['active'], 'False');
  assert.equal(patch({ op: 'replace', value: { active: false, 'name.givenName': 'Ada' } })['active'], false);
  assert.deepEqual(patch({ op: 'add', path: 'name.givenName', value: 'Ada' })['name'], {
    familyName: 'Byron',
    givenName: 'Ada',
  });
  assert.deepEqual(patch({ op: 'add', value: { name: { givenName: 'Ada' } } })['name'], {
    familyName: 'Byron',
    givenName: 'Ada',
  });
  assert.deepEqual(patch({ op: 'replace', path: 'emails[type eq "work"].value', value: 'b@example.com' })['emails'], [
    { value: 'b@example.com', type: 'work', primary: true },
  ]);
  assert.deepEqual(patch({ op: 'Add', path: 'emails[type eq "home"].value', value: 'h@example.com' })['emails'], [
    before.emails[0],
    { type: 'home', value: 'h@example.com' },
  ]);
  const primary = patch({ op: 'add', path: 'emails', value: [{ value: 'c@example.com', primary: true }] })['emails'];
  assert.deepEqual(primary, [
    { value: 'a@example.com', type: 'work', primary: false },
    { value: 'c@example.com', primary: true },
  ]);
  assert.deepEqual(patch({ op: 'add', path: 'members', value: [{ value: '2' }, { value: '3' }] })['members'], [
    { value: '1' },
    { value: '2' },
    { value: '3' },
  ]);
  assert.deepEqual(patch({ op: 'remove', path: 'members[value eq "1"]' })['members'], [{ value: '2' }]);
  assert.deepEqual(patch({ op: 'remove', path: 'members', value: [{ value: '2' }] })['members'], [{ value: '1' }]);
  assert.equal(patch({ op: 'remove', path: 'members' })['members'], undefined);
  assert.deepEqual(patch({ op: 'remove', path: 'name.familyName' })['name'], {});
  assert.equal(before.name.familyName, 'Byron', 'the given resource is not changed');
});

test('attributes that this server does not keep are ignored, and all others refused', () => {
  const ignored = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department';
  assert.deepEqual(
    patch({ op: 'add', path: ignored, value: 'x' }, { op: 'add', path: 'nickName', value: 'x' }),
    before,
  );
  assert.deepEqual(patch({ op: 'replace', value: { id: '5', schemas: [], nickName: 'x' } }), before);
  const refused: [string, PatchOperation][] = [
    ['mutability', { op: 'replace', path: 'id', value: '5' }],
    ['mutability', { op: 'add', path: 'groups', value: [] }],
    ['invalidPath', { op: 'add', path: 'unknown', value: 'x' }],
    ['invalidPath', { op: 'add', path: '__proto__.x', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'name.unknown', value: 'x' }],
    ['invalidPath', { op: 'add', path: 'emails[type', value: 'x' }],
    ['noTarget', { op: 'replace', path: 'emails[type eq "home"].value', value: 'x' }],
    ['noTarget', { op: 'remove' }],
    ['invalidSyntax', { op: 'move', path: 'active', value: true }],
    ['invalidValue', { op: 'add', path: 'active' }],
    ['invalidValue', { op: 'replace', value: 'x' }],
  ];
  for (const [scimType, operation] of refused)
    assert.throws(
      () => patch(operation),
      (error) => error instanceof PatchError && error.scimType === scimType,
    );
});
