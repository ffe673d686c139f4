import assert from 'node:assert/strict';
import { test } from 'node:test';
import { equalTo, FilterError, matches, parseFilter } from './filter.ts';

const ada = {
  id: '7',
  userName: 'Ada@Example.com',
  externalId: 'A-1',
  active: true,
  name: { familyName: 'Lovelace' },
  emails: [
    { value: 'ada@example.com', type: 'work', primary: true },
    { value: 'ada@home.example', type: 'home' },
  ],
  meta: { created: '2026-03-01T10:00:00.000Z' },
};

test('every operator and connective of the grammar is understood (RFC 7644, 3.4.2.2)', () => {
  const yes = [
    'userName eq "ada@example.com"',
    'USERNAME Eq "ADA@example.com"',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "ada"',
    'name.familyName co "love"',
    'name.familyName ew "LACE" and active eq true',
    'active eq True',
    'title ne "x"',
    'emails pr and not (title pr)',
    'emails.type eq "home"',
    'emails eq "ada@home.example"',
    'emails[type eq "work" and value sw "ada"]',
    'meta.created gt "2026-02-01T00:00:00Z" and meta.created le "2026-03-01T10:00:00Z"',
    'title eq "x" or (userName sw "a" and (externalId eq "A-1" or id eq "8"))',
    'title eq null',
    'userName eq "ada@example.com" or title eq "x" and title eq "y"',
  ];
  for (const text of yes) assert.ok(matches(parseFilter(text), ada), text);
  const no = [
    'externalId eq "a-1"',
    'emails[type eq "home" and primary eq true]',
    'emails ne "ada@example.com"',
    'not (userName pr)',
    'active gt true',
    'name.familyName gt 5',
    'constructor pr',
  ];
  for (const text of no) assert.ok(!matches(parseFilter(text), ada), text);
});

test('what is not a filter is refused, however deep or long, without taking long', () => {
  const bad = ['', 'userName', 'userName eq', 'userName xx "a"', 'eq "a"', '(userName pr', 'userName pr)', 'a eq "b'];
  bad.push('userName eq "a" and', 'not userName pr', 'emails[type eq "a"', 'a.b.c pr', "userName eq 'a'", 'a eq 1e5x');
  bad.push('('.repeat(900) + 'a pr' + ')'.repeat(900), `a eq "${'x'.repeat(3000)}"`);
  for (const text of bad) assert.throws(() => parseFilter(text), FilterError, text.slice(0, 60));
  const wide = Array.from({ length: 60 }, (_, n) => `(a eq "${n}" or b eq "${n}")`).join(' and ');
  assert.equal(matches(parseFilter(wide), ada), false);
});

test('a filter tells the database what it can look up', () => {
  assert.equal(equalTo(parseFilter('userName eq "A" and active eq true'), 'username'), 'A');
  for (const text of ['userName eq "A" or active eq true', 'not (userName eq "A")', 'userName sw "A"', 'userName eq 5'])
    assert.equal(equalTo(parseFilter(text), 'userName'), undefined, text);
});
