/** A piece of text, possibly a link. */
export interface TextRun {
  text: string;
  url?: string;
}

/** The text of a ticket or comment, which each tracker writes in its own format. */
export type TextBlock =
  | { kind: 'paragraph'; runs: readonly TextRun[] }
  | { kind: 'list'; items: readonly (readonly TextRun[])[] };
export type TicketText = readonly TextBlock[];

export const paragraph = (...runs: (string | TextRun)[]): TextBlock => ({
  kind: 'paragraph',
  runs: runs.map((run) => (typeof run === 'string' ? { text: run } : run)),
});

interface AdfNode {
  type: string;
  [member: string]: unknown;
}

const adfRun = ({ text, url }: TextRun): AdfNode => ({
  type: 'text',
  text,
  ...(url !== undefined && { marks: [{ type: 'link', attrs: { href: url } }] }),
});
/** ADF refuses empty text. */
const adfParagraph = (runs: readonly TextRun[]): AdfNode => ({
  type: 'paragraph',
  content: runs.filter(({ text }) => text !== '').map(adfRun),
});

/** The Atlassian Document Format, which Jira Cloud wants. */
export const adfOf = (blocks: TicketText): AdfNode => ({
  version: 1,
  type: 'doc',
  content: blocks.map((block) =>
    block.kind === 'paragraph'
      ? adfParagraph(block.runs)
      : {
          type: 'bulletList',
          content: block.items.map((runs) => ({ type: 'listItem', content: [adfParagraph(runs)] })),
        },
  ),
});

const ZERO_WIDTH_SPACE = '\u200b';

/**
 * Text that Markdown shows as it is. A mention or a reference to another issue would call people or mark that issue, so
 * that a space without width follows the sign.
 */
const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/[\r\n]+/g, ' ')
    .replaceAll(/[\\`*_{}[\]()<>|~!&$]/g, String.raw`\$&`)
    .replaceAll(/[@#]/g, `$&${ZERO_WIDTH_SPACE}`)
    .replace(/^(\s*)([-+=]|\d+[.)])/, String.raw`$1\$2`);

/** An address without characters that would end a link. */
const linkTarget = (url: string): string => encodeURI(decodeSafely(url)).replaceAll(/[()|\]<>]/g, encodeURIComponent);

function decodeSafely(url: string): string {
  try {
    return decodeURI(url);
  } catch {
    return url;
  }
}

const markdownRuns = (runs: readonly TextRun[]): string =>
  runs
    .map(({ text, url }) =>
      url === undefined ? escapeMarkdown(text) : `[${escapeMarkdown(text)}](${linkTarget(url)})`,
    )
    .join('');

/** Markdown for GitHub, GitLab and Linear. */
export const markdownOf = (blocks: TicketText): string =>
  blocks
    .map((block) =>
      block.kind === 'paragraph'
        ? markdownRuns(block.runs)
        : block.items.map((runs) => `- ${markdownRuns(runs)}`).join('\n'),
    )
    .join('\n\n');

const escapeWiki = (text: string): string =>
  text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\{}[\]|*_^~!?+@#-]/g, String.raw`\$&`);

const wikiRuns = (runs: readonly TextRun[]): string =>
  runs
    .map(({ text, url }) => (url === undefined ? escapeWiki(text) : `[${escapeWiki(text)}|${linkTarget(url)}]`))
    .join('');

/** The wiki text of Jira Server and Data Center. */
export const wikiTextOf = (blocks: TicketText): string =>
  blocks
    .map((block) =>
      block.kind === 'paragraph' ? wikiRuns(block.runs) : block.items.map((runs) => `* ${wikiRuns(runs)}`).join('\n'),
    )
    .join('\n\n');
