import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Router } from '#kernel/http/request/router.ts';

function routerOf(...templates: string[]): Router<string> {
  const router = new Router<string>();
  for (const template of templates) {
    const [method = '', path = ''] = template.startsWith('/') ? ['GET', template] : template.split(' ');
    router.add(method, path, template);
  }
  return router;
}

function targetOf(router: Router<string>, pathname: string, method = 'GET'): string | undefined {
  const match = router.find(method, pathname);
  return match.kind === 'found' ? match.target : undefined;
}

const team = '/api/permissions/v2/deployments/{deploymentId}/teams/{teamId}';
const projects = '/api/v1/deployments/{slug}/projects/{name...}';

test('a path is resolved to the target and its decoded parameters', () => {
  const found = routerOf(team).find('GET', '/api/permissions/v2/deployments/12/teams/a%20b%C3%A9');
  assert.deepEqual(found, { kind: 'found', target: team, params: { deploymentId: '12', teamId: 'a bé' } });
  assert.deepEqual(routerOf('/').find('GET', '/'), { kind: 'found', target: '/', params: {} });
});

test('a literal beats a suffix, a suffix beats a parameter and a parameter beats a rest', () => {
  const router = routerOf('/a/{rest...}', '/a/{x}', '/a/{x}:run', '/a/b', '/a/b:run');
  assert.equal(targetOf(router, '/a/b'), '/a/b');
  assert.equal(targetOf(router, '/a/b:run'), '/a/b:run');
  assert.equal(targetOf(router, '/a/c:run'), '/a/{x}:run');
  assert.equal(targetOf(router, '/a/c:stop'), '/a/{x}');
  assert.equal(targetOf(router, '/a/c'), '/a/{x}');
  assert.equal(targetOf(router, '/a/c/d'), '/a/{rest...}');
});

test('a suffix starts at the last colon, and an encoded colon belongs to the value', () => {
  const router = routerOf('/a/{x}:run', '/a/{x}');
  const paths: [string, string, string][] = [
    ['/a/1:run', '/a/{x}:run', '1'],
    ['/a/1:2:run', '/a/{x}:run', '1:2'],
    ['/a/1%3A2:run', '/a/{x}:run', '1:2'],
    ['/a/1:%72un', '/a/{x}:run', '1'],
    ['/a/1%3Arun', '/a/{x}', '1:run'],
    ['/a/1:run:', '/a/{x}', '1:run:'],
    ['/a/:run', '/a/{x}', ':run'],
    ['/a/1:running', '/a/{x}', '1:running'],
  ];
  for (const [path, target, x] of paths) {
    assert.deepEqual(router.find('GET', path), { kind: 'found', target, params: { x } }, path);
  }
});

test('the longest tail after a rest wins and the rest keeps what comes before it', () => {
  const router = routerOf(projects, `${projects}/tags`, `${projects}/old/tags`);
  const base = '/api/v1/deployments/acme/projects';
  const paths: [string, string, string][] = [
    ['/web', projects, 'web'],
    ['/org/web', projects, 'org/web'],
    ['/tags', projects, 'tags'],
    ['/org/web/tags', `${projects}/tags`, 'org/web'],
    ['/tags/tags', `${projects}/tags`, 'tags'],
    ['/org/tags/web', projects, 'org/tags/web'],
    ['/org/old/tags', `${projects}/old/tags`, 'org'],
    ['/old/tags', `${projects}/tags`, 'old'],
    ['/org%2Ftags', projects, 'org/tags'],
    ['/org%2fweb/tags', `${projects}/tags`, 'org/web'],
    ['/a%252Fb', projects, 'a%2Fb'],
  ];
  for (const [path, target, name] of paths) {
    assert.deepEqual(router.find('GET', base + path), { kind: 'found', target, params: { slug: 'acme', name } }, path);
  }
  assert.deepEqual(router.find('GET', base), { kind: 'none' });
});

test('matching backtracks when the preferred branch has no route', () => {
  const router = routerOf('/a/b/c', '/a/{x}/d', '/{y}/b/e', '/a/{x}:go/f', '/{z...}/g', '/a/{r...}/h/i');
  const paths: [string, string, Record<string, string>][] = [
    ['/a/b/c', '/a/b/c', {}],
    ['/a/b/d', '/a/{x}/d', { x: 'b' }],
    ['/a/b/e', '/{y}/b/e', { y: 'a' }],
    ['/a/b:go/f', '/a/{x}:go/f', { x: 'b' }],
    ['/a/b:go/d', '/a/{x}/d', { x: 'b:go' }],
    ['/a/b/c/g', '/{z...}/g', { z: 'a/b/c' }],
    ['/a/b/d/h/i', '/a/{r...}/h/i', { r: 'b/d' }],
  ];
  for (const [path, target, params] of paths) {
    assert.deepEqual(router.find('GET', path), { kind: 'found', target, params }, path);
  }
  assert.deepEqual(router.find('GET', '/a/b/h'), { kind: 'none' });
});

test('HTP-04 a path without a route for the method lists its methods, with HEAD for GET', () => {
  const router = routerOf('/a/{x}', 'DELETE /a/{y}', 'POST /a/b', 'PUT /c');
  assert.deepEqual(router.find('PATCH', '/a/z'), { kind: 'method', allow: ['DELETE', 'GET', 'HEAD'] });
  assert.deepEqual(router.find('PATCH', '/a/b'), { kind: 'method', allow: ['DELETE', 'GET', 'HEAD', 'POST'] });
  assert.deepEqual(router.find('GET', '/c'), { kind: 'method', allow: ['PUT'] });
  for (const method of ['TRACE', 'CONNECT', 'OPTIONS', 'get', 'put', '', '__proto__']) {
    assert.equal(router.find(method, '/c').kind, 'method');
    assert.equal(router.find(method, '/nowhere').kind, 'none');
  }
});

test('HTP-04 HEAD is found as GET and cannot be added', () => {
  assert.equal(targetOf(routerOf(team), '/api/permissions/v2/deployments/1/teams/2', 'HEAD'), team);
  assert.throws(() => routerOf('HEAD /a'), /HEAD is served by GET/);
  assert.equal(routerOf('POST /a').find('HEAD', '/a').kind, 'method');
});

test('each method has its own parameter names and most specific route', () => {
  const router = routerOf('/a/{x}', 'DELETE /a/{y}', 'POST /a/b');
  assert.deepEqual(router.find('DELETE', '/a/1'), { kind: 'found', target: 'DELETE /a/{y}', params: { y: '1' } });
  assert.deepEqual(router.find('GET', '/a/b'), { kind: 'found', target: '/a/{x}', params: { x: 'b' } });
  assert.deepEqual(router.find('POST', '/a/b'), { kind: 'found', target: 'POST /a/b', params: {} });
});

test('routes lists the routes in the order in which they were added', () => {
  const router = routerOf('/b', 'PUT /a/{x}');
  assert.deepEqual(router.routes(), [
    { method: 'GET', template: '/b', target: '/b' },
    { method: 'PUT', template: '/a/{x}', target: 'PUT /a/{x}' },
  ]);
});

test('HTP-05 ambiguous spellings of a path match no route', () => {
  const router = routerOf('/api/v1/ping', team, projects, `${projects}/tags`, '/{anything...}');
  const good = '/api/v1/deployments/acme/projects/web/tags';
  const bad = [
    ...[
      '',
      '*',
      'api/v1/ping',
      'http://host/api/v1/ping',
      '//api/v1/ping',
      '/api//v1/ping',
      '/api/v1/ping/',
      '/api/v1/ping//',
    ],
    ...[
      '/./api/v1/ping',
      '/api/./v1/ping',
      '/api/v1/ping/.',
      '/api/x/../v1/ping',
      '/../api/v1/ping',
      '/api/v1/ping/..',
    ],
    ...['/api/%2e/v1/ping', '/api/x/%2e%2e/v1/ping', '/api/x/.%2E/v1/ping', '/api/x/%2E./v1/ping', '/%2e%2e', '/%2e'],
    ...[
      '/api/v1/ping;',
      '/api/v1/ping;a=b',
      '/api;x/v1/ping',
      '/;/api',
      '/api/v1/..;/ping',
      '/api\\v1\\ping',
      '/api/v1\\ping',
    ],
    ...['/api/v1/%', '/api/v1/%2', '/api/v1/%zz', '/api/v1/%u0070ing', '/api/v1/%C3', '/api/v1/%C0%AF', '/api/v1/%FF'],
    ...[
      '/api/v1/%ED%A0%80',
      '/api/v1/%F4%90%80%80',
      '/api/v1/%E0%80%AF',
      '/api/v1/%00',
      '/api/v1/ping%00',
      '/%00/ping',
    ],
    ...[
      '/api/v1/ping ',
      '/ api',
      '/api/v1/p\ting',
      '/api/v1/ping\n',
      '/api/v1/\u00e9',
      '/api/v1/ping\u2028',
      '/\u007f',
    ],
    ...[
      '/api/v1/ping?x',
      '/api/v1/ping#x',
      '/?',
      '/#',
      '/%2F',
      '/%2Fapi',
      '/api%2F',
      '/a%2F%2Fb',
      '/a%2F..%2Fb',
      '/a%2F.',
    ],
    ...[
      '/;',
      '/\\',
      '/.',
      '/..',
      '/...//',
      '/%2e%2e/api',
      '/api/%2e%2e%2fv1',
      '/a%2f',
      '/%2e%2f',
      '/a/%C3%28',
      '/%80',
      '/a%',
      '/a%2',
    ],
    ...[
      `${good}/`,
      good.replace('acme', ''),
      good.replace('web', '.'),
      good.replace('web', '%2F'),
      good.replace('web', 'a%2f'),
    ],
    ...[
      good.replace('web', '..%2Fx'),
      good.replace('web', 'x%2F%2E%2E%2Fy'),
      good.replace('acme', ';'),
      `${good}%`,
      `${good}\\`,
    ],
  ];
  assert.ok(new Set(bad).size >= 80);
  for (const path of bad) assert.deepEqual(router.find('GET', path), { kind: 'none' }, JSON.stringify(path));
});

test('HTP-05 an encoded slash is data in a rest parameter, and matches nothing elsewhere', () => {
  const router = routerOf('/api/v1/ping', '/a/{x}', '/b/{x}:run', '/c/{rest...}/{x}');
  for (const path of ['/api%2Fv1/ping', '/api/v1%2fping', '/a/1%2F2', '/b/1%2F2:run', '/b/1:run%2Fx', '/c/1/2%2F3']) {
    assert.deepEqual(router.find('GET', path), { kind: 'none' }, path);
  }
  const found = router.find('GET', '/c/1%2F2/3/4');
  assert.deepEqual(found, { kind: 'found', target: '/c/{rest...}/{x}', params: { rest: '1/2/3', x: '4' } });
});

test('HTP-05 a path is decoded exactly once', () => {
  const router = routerOf('/a/{x}', '/api/v1/ping');
  assert.deepEqual(router.find('GET', '/a/%252e%252e'), { kind: 'found', target: '/a/{x}', params: { x: '%2e%2e' } });
  assert.deepEqual(router.find('GET', '/a/%2500'), { kind: 'found', target: '/a/{x}', params: { x: '%00' } });
  assert.deepEqual(router.find('GET', '/a/a+b'), { kind: 'found', target: '/a/{x}', params: { x: 'a+b' } });
  assert.equal(targetOf(router, '/api/v1/%70ing'), '/api/v1/ping');
  assert.equal(targetOf(router, '/api/v1/%2570ing'), undefined);
  assert.equal(targetOf(router, '/api/v1/PING'), undefined);
});

test('two templates of the same shape and method are refused, and so are invalid templates', () => {
  for (const [first, second] of [
    ['/a/{x}', '/a/{y}'],
    ['/a/{x...}/b', '/a/{y...}/b'],
    ['/a/{x}:run', '/a/{y}:run'],
    ['/', '/'],
  ] as const) {
    assert.throws(() => routerOf(first, second), /has the same shape as/);
    routerOf(first, `PUT ${second}`);
  }
  const senseless = ['a', '', '/a/', '//a', '/{}', '/{x', '/x}', '/{x}{y}', '/{x}-b', '/{x}:', '/{x...}:run', '/{x..}'];
  for (const template of [
    ...senseless,
    '/a b',
    '/..',
    '/.',
    '/{x}/{x}',
    '/{x...}/{y...}',
    '/{__proto__}',
    '/a;b',
    '/%61',
  ]) {
    assert.throws(() => new Router<null>().add('GET', template, null), `${template} was accepted`);
  }
  for (const method of ['get', '', 'GE T', 'HEAD']) assert.throws(() => new Router<null>().add(method, '/a', null));
});

const word = fc.stringMatching(/^[a-z][a-z0-9._~-]{0,5}$/);
const value = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 6 })
  .filter((text) => !/[/\0]/.test(text) && text !== '.' && text !== '..');
const part = fc.oneof(
  word.map((text) => ({ template: () => text, path: text, value: undefined })),
  value.map((text) => ({ template: (name: string) => `{${name}}`, path: encodeURIComponent(text), value: text })),
  fc.tuple(value, word).map(([text, verb]) => ({
    template: (name: string) => `{${name}}:${verb}`,
    path: `${encodeURIComponent(text)}:${verb}`,
    value: text,
  })),
);
const rest = fc
  .array(fc.tuple(value, fc.constantFrom('/', '%2F', '%2f')), { minLength: 1, maxLength: 4 })
  .map((items) => ({
    template: (name: string) => `{${name}...}`,
    path: items.map(([text, slash], index) => (index === 0 ? '' : slash) + encodeURIComponent(text)).join(''),
    value: items.map(([text]) => text).join('/'),
  }));
const parts = fc
  .tuple(fc.array(part, { maxLength: 4 }), fc.option(rest, { nil: undefined }), fc.array(part, { maxLength: 3 }))
  .map(([before, middle, after]) => (middle === undefined ? [...before, ...after] : [...before, middle, ...after]));

function built(from: { template: (name: string) => string; path: string; value: string | undefined }[]) {
  const template = `/${from.map((item, index) => item.template(`p${index}`)).join('/')}`;
  const path = `/${from.map((item) => item.path).join('/')}`;
  const values = from.flatMap((item, index) => (item.value === undefined ? [] : [[`p${index}`, item.value] as const]));
  return { template, path, params: Object.fromEntries(values) };
}

test('HTP-05 a path built from random parameters matches its route with those parameters', () => {
  fc.assert(
    fc.property(parts, (from) => {
      const { template, path, params } = built(from);
      const router = new Router<string>();
      router.add('GET', template, template);
      assert.deepEqual(router.find('GET', path), { kind: 'found', target: template, params });
      assert.deepEqual(router.find('GET', `${path === '/' ? '/x' : path}/`), { kind: 'none' });
    }),
    { numRuns: 1_000 },
  );
});

test('a route is found among many others unless one of them matches the same path', () => {
  fc.assert(
    fc.property(fc.array(parts, { minLength: 1, maxLength: 12 }), (routes) => {
      const router = new Router<string>();
      const alone = new Map<string, Router<string>>();
      for (const { template } of routes.map(built)) {
        try {
          router.add('GET', template, template);
        } catch {
          continue;
        }
        const single = new Router<string>();
        single.add('GET', template, template);
        alone.set(template, single);
      }
      for (const { path } of routes.map(built)) {
        const match = router.find('GET', path);
        assert.ok(match.kind === 'found', path);
        assert.deepEqual(alone.get(match.target)?.find('GET', path), match);
      }
    }),
    { numRuns: 500 },
  );
});

test('a path of many segments is matched in linear time', () => {
  const router = routerOf('/{a...}/x/y/z', '/{b...}/x/y', '/x/{c}/{d...}/y', '/x/{e}/{f}/{g...}/z', '/{h...}/q');
  const path = '/x/y'.repeat(2_000);
  assert.equal(targetOf(router, path), '/x/{c}/{d...}/y');
  assert.equal(targetOf(router, `${path}/w`), undefined);
});
