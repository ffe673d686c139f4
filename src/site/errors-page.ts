import type { FaultKind } from '#kernel/contract/fault.ts';
import { type Html, html, prose, renderFrame, searchBox } from './html.ts';

const row = ({ code, status, sentence, hint }: FaultKind): Html => html`
<tr id="${code}" data-search="${`${code} ${status} ${sentence} ${hint}`.toLowerCase()}">
<td class="status-cell"><span class="status status-${Math.floor(status / 100)}">${status}</span></td>
<th scope="row"><a href="#${code}"><code>${code}</code></a></th>
<td><span class="cell-name">Meaning</span>${prose(sentence)}</td>
<td><span class="cell-name">What to do</span>${hint === '' ? html`<span class="dimmed">–</span>` : prose(hint)}</td>
</tr>`;

/** The page that the `type` of every problem links to: one row for each code. */
export function errorsPage(errors: readonly FaultKind[]): string {
  const sorted = [...errors].sort((left, right) => left.status - right.status || (left.code < right.code ? -1 : 1));
  const main = html`
<main id="main" class="page">
<h1>Errors</h1>
<p class="lead">Every error of the API has one of these codes in the member <code>code</code>. The meaning of a code
never changes; sentences may. The server fills in words <var>like this</var>.</p>
${searchBox('Find a code', 'code or word', `${sorted.length} codes`)}
<table class="rows errors">
<thead><tr><th scope="col">Status</th><th scope="col">Code</th><th scope="col">Meaning</th>
<th scope="col">What to do</th></tr></thead>
<tbody>${sorted.map(row)}</tbody>
</table>
</main>`;
  return renderFrame({ title: 'Errors', path: '/docs/errors', main, scripts: ['errors.js'] });
}
