import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scannerLink } from './scanner-links.ts';

const at = (address: string) => {
  const { pathname, search } = new URL(address, 'https://parapet.example');
  const link = scannerLink(pathname, search);
  return link && `/o/${link.slug}/${decodeURIComponent(link.page.replaceAll('+', ' '))}`;
};

test('the addresses that scanners print lead to the page that they mean', () => {
  const addresses: [string, string][] = [
    ['/orgs/acme/findings?repo=acme/web&ref=main', '/o/acme/findings?q=is:open project:acme/web branch:main'],
    ['/orgs/acme/findings?repo=local_scan%2Fmy%20app', '/o/acme/findings?q=is:open project:"local_scan/my app"'],
    ['/orgs/acme/findings', '/o/acme/findings?q=is:open'],
    ['/orgs/acme/findings/4711', '/o/acme/findings/4711'],
    [
      '/orgs/acme/supply-chain/vulnerabilities?repo=acme/web&ref=refs/pull/7/merge',
      '/o/acme/findings?q=is:open type:dependency project:acme/web branch:refs/pull/7/merge',
    ],
    ['/orgs/acme/supply-chain/t/vulnerabilities', '/o/acme/findings?q=is:open type:dependency'],
    ['/orgs/acme/supply-chain/dependencies', '/o/acme/dependencies'],
    ['/orgs/acme/secrets?repo=acme/web', '/o/acme/findings?q=is:open type:secret project:acme/web'],
    ['/orgs/-/settings/tokens', '/o/-/settings/tokens'],
    ['/orgs/-/settings/tokens/cli', '/o/-/settings/tokens'],
    ['/orgs/-/policies', '/o/-/policies'],
    ['/orgs/acme/projects', '/o/acme/projects'],
    ['/orgs/acme', '/o/acme/inbox'],
    ['/manage/findings', '/o/-/findings?q=is:open'],
    ['/manage/policy', '/o/-/policies'],
    ['/manage/projects', '/o/-/projects'],
    ['/manage/settings', '/o/-/settings/'],
    ['/manage/unknown', '/o/-/inbox'],
  ];
  for (const [address, expected] of addresses) assert.equal(at(address), expected, address);
});

test('other addresses are not of scanners', () => {
  for (const address of ['/', '/orgs', '/orgs/', '/o/acme/findings', '/login']) assert.equal(at(address), undefined);
});

test('a value that is not a filter stays a value', () => {
  assert.equal(
    at('/orgs/acme/findings?repo=a%22%20is%3Afixed&ref=*'),
    String.raw`/o/acme/findings?q=is:open project:"a\" is:fixed" branch:\*`,
  );
});
