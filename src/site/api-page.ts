import {
  type ApiEntry,
  type ApiReference,
  type ApiSection,
  type DescribedOperation,
  groupsOf,
} from './api-document.ts';
import { type SchemaField, SchemaReader } from './api-schema.ts';
import { type Html, html, prose, renderFrame, searchBox } from './html.ts';

const JSON_TYPE = 'application/json';

/** The reference of the API as one page, made from the OpenAPI document and nothing else. */
export function apiPage(document: object): string {
  const reference = document as ApiReference;
  const schemas = new SchemaReader(document);
  const groups = groupsOf(reference, schemas);
  const count = groups.reduce((sum, { entries }) => sum + entries.length, 0);
  const main = html`
<div class="reference">
<aside class="contents" aria-label="Operations">
${searchBox('Find an operation', 'path or word', `${count} operations`)}
<nav aria-label="Operations by service">${groups.map(contentsOf)}</nav>
</aside>
<main id="main">
${introduction(reference)}
${groups.map(
  ({ name, purpose, entries }) => html`
<section class="group" aria-labelledby="group-${name}">
<h2 id="group-${name}">${titleOf(name)}</h2>
${purpose === '' ? undefined : html`<p class="dimmed">${purpose}</p>`}
${entries.map((entry) => operation(entry, { schemas, reference }))}
</section>`,
)}
<p id="nothing" hidden>No operation has all of these words.</p>
</main>
</div>`;
  return renderFrame({
    title: 'API',
    path: '/docs/api',
    main,
    styles: ['api.css', 'operation.css'],
    scripts: ['api.js'],
  });
}

const titleOf = (group: string) => group.replace(/Service$/, '').replace(/([a-z])([A-Z])/g, '$1 $2');

const badge = (method: string) => html`<span class="method method-${method.toLowerCase()}">${method}</span>`;

/** What the search box looks at. */
const wordsOf = ({ method, path, described }: ApiEntry) =>
  [method, path, described.summary, described.operationId, described.tags?.[0], described['x-maturity']]
    .join(' ')
    .toLowerCase();

const contentsOf = ({ name, entries }: ApiSection) => html`
<section class="contents-group"><h2><a class="contents-title" href="#group-${name}">${titleOf(name)}</a></h2>
<ul>${entries.map(
  (entry) => html`
<li data-search="${wordsOf(entry)}"><a class="entry" href="#${entry.described.operationId}">${badge(entry.method)}
<span>${entry.described.summary ?? entry.path}</span></a></li>`,
)}</ul></section>`;

const introduction = ({ info }: ApiReference) => html`
<h1>${info.title} <span class="version">${info.version}</span></h1>
<p class="lead">${info.summary} The same as a document for programs: <a href="/openapi.json">openapi.json</a>.
Every refusal has a <a href="/docs/errors">code</a>.</p>
<p>The samples below read two variables. Create a token on the <a href="/">home page</a>, then set them once:</p>
<pre data-copy><code>export PARAPET_URL=<span data-origin>http://127.0.0.1:8080</span>
export PARAPET_TOKEN=<var>your API token</var></code></pre>`;

interface Shelf {
  schemas: SchemaReader;
  reference: ApiReference;
}

function operation(entry: ApiEntry, shelf: Shelf): Html {
  const { method, path, described } = entry;
  const body = described.requestBody?.content?.[JSON_TYPE];
  const maturity = described['x-maturity'] ?? '';
  return html`
<details class="operation" id="${described.operationId}" data-search="${wordsOf(entry)}">
<summary>${badge(method)}<h3><code class="path">${withBreaks(path)}</code><span>${described.summary}</span></h3>
<span class="badges">${maturity === '' ? undefined : html`<span class="badge badge-${maturity}">${maturity}</span>`}${
    described.deprecated ? html`<span class="badge badge-deprecated">deprecated</span>` : undefined
  }</span></summary>
<div class="operation-body"><div>
${(described.description ?? '').split('\n\n').map((text) => (text === '' ? undefined : html`<p>${prose(text)}</p>`))}
${factsOf(described, shelf.reference)}
${['path', 'query', 'header'].map((place) => parametersIn(place, described, shelf.schemas))}
${body ? fieldTable('Body', shelf.schemas.fieldsOf(body.schema)) : undefined}
</div><div class="shown">
<h4>Request</h4>
<pre data-copy class="wraps"><code>${curlOf(entry)}</code></pre>
<details class="try" data-method="${method}" data-path="${path}"><summary>Try it</summary>
<p class="dimmed">This panel needs JavaScript.</p></details>
${sampleAnswer(described, shelf.schemas)}
</div><div>
${answersOf(described, shelf)}
</div></div>
</details>`;
}

/** A long path may break after each of its parts. */
const withBreaks = (path: string) => path.split('/').map((part, index) => (index === 0 ? part : html`/<wbr>${part}`));

const PERMISSIONS: Record<string, Html> = {
  public: html`none, everybody may call it`,
  self: html`any valid credential`,
};

function factsOf(described: DescribedOperation, { components }: ApiReference): Html {
  const permission = described['x-permission'] ?? '';
  const schemes = (described.security ?? []).flatMap((one) => Object.keys(one));
  const credentials = schemes.map(
    (name) => html`<li><code>${name}</code> ${components?.securitySchemes?.[name]?.description}</li>`,
  );
  return html`
<dl class="facts">
<div><dt>Operation</dt><dd><a href="#${described.operationId}"><code>${described.operationId}</code></a>${
    described['x-extension'] ? html` <span class="dimmed">(an extension of this server)</span>` : undefined
  }</dd></div>
${described['x-strict'] ? html`<div><dt>Unknown members</dt><dd>refused</dd></div>` : undefined}
<div><dt>Permission</dt><dd>${PERMISSIONS[permission] ?? html`<code>${permission}</code>`}</dd></div>
<div><dt>Credentials</dt><dd>${credentials.length === 0 ? 'none needed' : html`<ul>${credentials}</ul>`}</dd></div>
</dl>`;
}

function parametersIn(place: string, { parameters = [] }: DescribedOperation, schemas: SchemaReader): Html | undefined {
  const fields = parameters
    .filter((parameter) => parameter.in === place)
    .map(({ name, schema, required = false, description }) => {
      const field = schemas.field(name, schema, { depth: 0, isRequired: required });
      return { ...field, description: description ?? field.description };
    });
  return fields.length === 0
    ? undefined
    : fieldTable({ path: 'Path', query: 'Query', header: 'Headers' }[place] ?? place, fields);
}

const MANY_CHOICES = 8;

function choicesOf(choices: readonly string[]): Html | undefined {
  if (choices.length === 0) return undefined;
  const list = choices.map((choice) => html`<code>${choice}</code> `);
  if (choices.length < MANY_CHOICES) return html`<p class="choices">One of ${list}</p>`;
  return html`<details class="choices"><summary>One of ${choices.length} values</summary>${list}</details>`;
}

const presenceIn: Record<'request' | 'answer', (field: SchemaField) => Html | undefined> = {
  request: ({ isRequired, fallback }) => {
    if (isRequired) return html`<span class="required">required</span> `;
    return fallback === undefined ? undefined : html`<span class="dimmed">default ${JSON.stringify(fallback)}</span> `;
  },
  // What has a default is always sent.
  answer: ({ isRequired, fallback }) =>
    isRequired || fallback !== undefined ? undefined : html`<span class="dimmed">may be absent</span> `,
};

const fieldTable = (title: string, fields: readonly SchemaField[], place: 'request' | 'answer' = 'request'): Html =>
  fields.length === 0
    ? html`<h4>${title}</h4><p class="dimmed">An object without members.</p>`
    : html`<h4>${title}</h4>
<table class="fields">
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Notes</th></tr></thead>
<tbody>${fields.map(
        (field) => html`
<tr class="depth-${Math.min(field.depth, 6)}"><th scope="row"><code>${field.name}</code></th><td>${field.type}</td>
<td>${presenceIn[place](field)}${prose(field.description)}
<span class="dimmed">${field.limits.join(', ')}</span>${choicesOf(field.choices)}</td></tr>`,
      )}</tbody></table>`;

const isSuccess = (status: string) => status.startsWith('2');

function answersOf(described: DescribedOperation, { schemas, reference }: Shelf): Html {
  const { responses = {} } = described;
  const success = Object.entries(responses).filter(([status]) => isSuccess(status));
  const refusals = Object.entries(responses).filter(([status]) => !isSuccess(status));
  return html`${success.map(([status, { content, headers = {} }]) => [
    fieldTable(`Answer ${status}`, schemas.fieldsOf(content?.[JSON_TYPE]?.schema), 'answer'),
    Object.entries(headers).map(
      ([name, { description = '' }]) => html`<p>Header <code>${name}</code>: ${prose(description)}</p>`,
    ),
  ])}
<h4>Refusals</h4>
<table class="refusals"><thead><tr><th scope="col">Status</th><th scope="col">Codes</th></tr></thead>
<tbody>${refusals.map(
    ([status, { description = '' }]) => html`
<tr><th scope="row"><span class="status status-${status.slice(0, 1)}">${status}</span></th>
<td>${codesOf(described, reference, Number(status)) ?? html`<p>${prose(description)}</p>`}</td></tr>`,
  )}</tbody></table>`;
}

/** The codes that an operation can answer with under a status, and what each means. */
function codesOf(described: DescribedOperation, { components }: ApiReference, status: number): Html[] | undefined {
  const codes = (described['x-codes'] ?? []).flatMap((code) => {
    const meaning = components?.['x-codes']?.[code];
    if (meaning?.status !== status) return [];
    return [html`<p><a href="/docs/errors#${code}"><code>${code}</code></a> ${prose(meaning.sentence)}</p>`];
  });
  return codes.length === 0 ? undefined : codes;
}

function sampleAnswer({ responses = {} }: DescribedOperation, schemas: SchemaReader): Html | undefined {
  const [status, answer] = Object.entries(responses).find(([key]) => isSuccess(key)) ?? [];
  const media = answer?.content?.[JSON_TYPE];
  if (!media?.schema) return undefined;
  const sample = media.example ?? schemas.sampleOf(media.schema);
  return html`<h4>Answer ${status}</h4><pre data-copy><code>${JSON.stringify(sample, null, 2)}</code></pre>`;
}

const inUrl = (value: unknown) => encodeURIComponent(String(value));

const inShellQuotes = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

const MAX_LINE_LENGTH = 60;

/** A body for the shell: on one line if it is short. */
function bodyArgument(body: unknown): string {
  const line = JSON.stringify(body);
  return inShellQuotes(line.length <= MAX_LINE_LENGTH ? line : JSON.stringify(body, null, 2));
}

/** A call that works once the two variables are set and the ids are those of real things. */
function curlOf({ method, path, described }: ApiEntry): string {
  const { parameters = [], security = [] } = described;
  const exampleOf = (name: string) => parameters.find((one) => one.in === 'path' && one.name === name)?.example;
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => inUrl(exampleOf(name) ?? name));
  const query = parameters
    .filter(({ in: place, example }) => place === 'query' && example !== undefined && example !== '')
    .flatMap(({ name, example }) => [example].flat().map((value) => [name, value].map(inUrl).join('=')))
    .join('&');
  const media = described.requestBody?.content?.[JSON_TYPE];
  const lines = [
    `curl -sS${method === 'GET' ? '' : ` -X ${method}`} "$PARAPET_URL${[filled, query].join(query && '?')}"`,
    ...(security.length > 0 ? ['-H "Authorization: Bearer $PARAPET_TOKEN"'] : []),
    ...(media ? ["-H 'Content-Type: application/json'", `-d ${bodyArgument(media.example ?? {})}`] : []),
  ];
  return lines.join(' \\\n  ');
}
