/** Safe markup: text in it is always escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type HtmlPiece = Html | string | number | undefined | readonly HtmlPiece[];

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');

function textOf(piece: HtmlPiece): string {
  if (piece === undefined) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(textOf).join('');
  return escaped(String(piece));
}

/** Builds markup from a template; values are escaped unless they are markup already. */
export function html(parts: TemplateStringsArray, ...pieces: readonly HtmlPiece[]): Html {
  return new Html(parts.map((part, index) => part + textOf(pieces[index])).join(''));
}

/** A paragraph of a contract's text: backticks mark code, and `{name}` marks a placeholder. */
export function prose(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\{\w+\})/).map((part) => {
    if (part.length > 2 && part.startsWith('`')) return html`<code>${part.slice(1, -1)}</code>`;
    return part.startsWith('{') && part.endsWith('}') ? html`<var>${part.slice(1, -1)}</var>` : part;
  });
  return html`${pieces}`;
}

export interface PageFrame {
  title: string;
  /** The path of the page, to mark it in the navigation. */
  path: string;
  main: Html;
  styles?: readonly string[];
  scripts?: readonly string[];
}

/** The search box of `search.js`, which searches elements with `data-search`. */
export const searchBox = (label: string, placeholder: string, count: string): Html => html`
<div class="search">
<label for="search">${label}</label>
<div class="search-row">
<input id="search" type="search" placeholder="${placeholder}" autocomplete="off" spellcheck="false"
aria-describedby="count"><kbd>/</kbd></div>
<p id="count" class="dimmed" role="status">${count}</p>
</div>`;

const NAVIGATION: readonly (readonly [path: string, name: string])[] = [
  ['/', 'Home'],
  ['/docs/api', 'API'],
  ['/docs/errors', 'Errors'],
];

const STYLES = ['style.css', 'forms.css', 'lists.css'];

/** Renders a page with the common head and navigation. */
export function renderFrame({ title, path, main, styles = [], scripts = [] }: PageFrame): string {
  const links = NAVIGATION.map(
    ([target, name]) =>
      html`<a class="tab" href="${target}"${target === path ? html` aria-current="page"` : undefined}>${name}</a>`,
  );
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Parapet</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
${[...STYLES, ...styles].map((name) => html`<link rel="stylesheet" href="/assets/${name}">\n`)}
${scripts.map((name) => html`<script type="module" src="/assets/${name}"></script>\n`)}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24">Parapet</a>
<nav aria-label="Pages">${links}</nav>
</header>
${main}
</body>
</html>
`.text;
}
