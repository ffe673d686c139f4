import { Session } from './client.js';
import { copyable, make } from './dom.js';

/** Response headers to show. */
const SHOWN_HEADERS = [
  'content-type',
  'etag',
  'location',
  'allow',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'deprecation',
  'idempotency-replayed',
  'parapet-maturity',
  'www-authenticate',
  'x-request-id',
];
const JSON_TYPE = 'application/json';
const CREDENTIAL_INPUTS = '.try input[name="credential"]';

// Shared by all panels of this page, and never stored.
let credential = '';
let reference;

const readReference = () => {
  reference ??= fetch('/openapi.json').then((response) => response.json());
  return reference;
};

function keepCredential(text) {
  credential = text;
  for (const input of document.querySelectorAll(CREDENTIAL_INPUTS)) if (input.value !== text) input.value = text;
}

/** Builds the form of an operation when its panel is opened for the first time. */
export async function fillTry(panel) {
  if (panel.dataset.filled) return;
  panel.dataset.filled = 'yes';
  const { method, path } = panel.dataset;
  const document = await readReference();
  const described = document.paths[path][method.toLowerCase()];
  const output = make('div', { role: 'status' });
  const form = make(
    'form',
    { novalidate: true },
    described.security.length > 0 ? credentialField(described) : undefined,
    ...described.parameters.map((parameter) => parameterField(described, parameter)),
    bodyField(described),
    method === 'GET' ? undefined : make('p', { class: 'hint' }, 'This sends a real request, which may change data.'),
    make('button', { type: 'submit', class: 'primary' }, `Send ${method}`),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void send({ method, path, form, output });
  });
  panel.querySelector('p')?.remove();
  panel.append(form, output);
}

function labelled(id, text, input, ...after) {
  input.id = id;
  return make('div', { class: 'field' }, make('label', { for: id }, text), input, ...after);
}

function credentialField({ operationId, security }) {
  const isForUsers = security.every((one) => !('ServiceWebToken' in one));
  const input = make('input', {
    name: 'credential',
    type: 'password',
    autocomplete: 'off',
    spellcheck: 'false',
    input: ({ target }) => keepCredential(target.value),
  });
  input.value = credential;
  const status = make(
    'p',
    { class: 'hint', role: 'status' },
    'Kept in memory only and shared by all panels of this page.',
  );
  const button = make('button', { type: 'button', class: 'small', click: () => useSession(status) }, 'Use my session');
  const name = isForUsers ? 'Access token of a signed-in user' : 'API token or access token';
  return labelled(`try-${operationId}-credential`, name, input, status, button);
}

async function useSession(status) {
  const session = new Session();
  const { value } = await session.refresh();
  if (value) keepCredential(session.accessToken);
  status.textContent = value
    ? `Using the session of ${value.user.email}, for 15 minutes at most.`
    : 'You are not signed in. Sign in on the home page first.';
}

function parameterField({ operationId }, { name, in: location, example, required, schema }) {
  const choices = schema.enum ?? [];
  const input =
    choices.length > 0
      ? make(
          'select',
          {},
          ...(required ? [] : ['']).concat(choices).map((choice) => make('option', { value: choice }, choice || '–')),
        )
      : make('input', { autocomplete: 'off', spellcheck: 'false' });
  input.dataset.location = location;
  input.name = name;
  input.value = [example ?? ''].flat().join(',');
  return labelled(`try-${operationId}-${location}-${name}`, `${name} (${location})`, input);
}

function bodyField({ operationId, requestBody }) {
  const media = requestBody?.content?.[JSON_TYPE];
  if (!media) return undefined;
  const text = JSON.stringify(media.example ?? {}, null, 2);
  const rows = String(Math.min(16, text.split('\n').length + 1));
  const input = make('textarea', { name: 'body', rows, spellcheck: 'false', autocomplete: 'off' });
  input.value = text;
  return labelled(`try-${operationId}-body`, 'Body (JSON)', input);
}

function requestOf({ method, path, form }) {
  const given = [...form.querySelectorAll('[data-location]')].map(({ name, value, dataset }) => ({
    name,
    value,
    location: dataset.location,
  }));
  const inLocation = (location) => given.filter((one) => one.location === location);
  const filled = inLocation('path').reduce(
    (text, { name, value }) => text.replace(`{${name}}`, () => encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(inLocation('query').flatMap(({ name, value }) => (value ? [[name, value]] : [])));
  const headers = new Headers({ accept: JSON_TYPE });
  for (const { name, value } of inLocation('header')) if (value) headers.set(name, value);
  if (form.elements.credential?.value) headers.set('authorization', `Bearer ${form.elements.credential.value.trim()}`);
  const body = form.elements.body?.value;
  if (body !== undefined) headers.set('content-type', JSON_TYPE);
  return { target: query.size > 0 ? `${filled}?${query}` : filled, init: { method, headers, body: body ?? null } };
}

async function send(panel) {
  const { output, method } = panel;
  output.replaceChildren(make('p', { class: 'dimmed' }, 'Sending…'));
  const start = performance.now();
  try {
    const { target, init } = requestOf(panel);
    const response = await fetch(target, init);
    const text = await response.text();
    const elapsedMs = Math.round(performance.now() - start);
    output.replaceChildren(
      make(
        'p',
        { class: 'outcome' },
        make('span', { class: `status status-${String(response.status)[0]}` }, `${response.status}`),
        ` ${method} ${target} · ${elapsedMs} ms`,
      ),
      headerList(response.headers),
      copyable(make('pre', { 'aria-label': 'Response body' }, indented(text))),
    );
  } catch (error) {
    output.replaceChildren(make('p', { class: 'alert' }, `The request failed: ${error.message}`));
  }
}

const headerList = (headers) =>
  make(
    'dl',
    { class: 'headers' },
    ...SHOWN_HEADERS.filter((name) => headers.has(name)).map((name) =>
      make('div', {}, make('dt', {}, name), make('dd', {}, headers.get(name))),
    ),
  );

function indented(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
