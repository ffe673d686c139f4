export type MarkdownSpan =
  | { kind: 'text' | 'code'; text: string }
  | { kind: 'strong' | 'emphasis'; spans: MarkdownSpan[] }
  | { kind: 'link'; href: string; spans: MarkdownSpan[] };

export type MarkdownBlock =
  | { kind: 'paragraph' | 'heading'; spans: MarkdownSpan[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; isOrdered: boolean; items: MarkdownSpan[][] };

/** Quantifiers are bounded so that no input causes excessive backtracking. */
const INLINE =
  /`([^`\n]{1,1000})`|\*\*([^*\n]{1,1000})\*\*|\*([^*\s][^*\n]{0,1000})\*|\[([^\]\n]{1,500})\]\(([^()\s]{1,1000})\)|(https?:\/\/[^\s<>"'`)\]]{1,1000})/g;

const MAX_DEPTH = 3;

/** Parses inline code, emphasis and links; everything else, including HTML, stays text. */
export function parseInline(text: string, depth = 0): MarkdownSpan[] {
  if (depth > MAX_DEPTH) return [{ kind: 'text', text }];
  const spans: MarkdownSpan[] = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    const [whole, code, strong, emphasis, label, href, address] = match;
    if (match.index > end) spans.push({ kind: 'text', text: text.slice(end, match.index) });
    end = match.index + whole.length;
    if (code !== undefined) spans.push({ kind: 'code', text: code });
    else if (strong !== undefined) spans.push({ kind: 'strong', spans: parseInline(strong, depth + 1) });
    else if (emphasis !== undefined) spans.push({ kind: 'emphasis', spans: parseInline(emphasis, depth + 1) });
    else if (label !== undefined && href !== undefined)
      spans.push({ kind: 'link', href, spans: [{ kind: 'text', text: label }] });
    else if (address !== undefined) spans.push(...addressSpans(address));
  }
  if (end < text.length) spans.push({ kind: 'text', text: text.slice(end) });
  return spans;
}

/** Punctuation after a URL is not part of it. */
function addressSpans(address: string): MarkdownSpan[] {
  const href = address.replace(/[.,;:!?]{1,3}$/, '');
  const rest = address.slice(href.length);
  return [
    { kind: 'link', href, spans: [{ kind: 'text', text: href }] },
    ...(rest === '' ? [] : [{ kind: 'text', text: rest } as const]),
  ];
}

const FENCE = /^\s{0,3}```/;
const ITEM = /^\s{0,6}(?:[-*+]|(\d{1,3})[.)])\s+(.*)$/;
const HEADING = /^\s{0,3}#{1,6}\s+(.*)$/;

/** Parses the subset of Markdown that notes and rules use; raw HTML and images are not supported (WEB-01). */
export function parseMarkdown(text: string): MarkdownBlock[] {
  const blocks: MarkdownBlock[] = [];
  const lines = text.replaceAll('\r\n', '\n').split('\n');
  let open: string[] = [];
  const close = () => {
    if (open.length > 0) blocks.push({ kind: 'paragraph', spans: parseInline(open.join('\n')) });
    open = [];
  };
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const item = ITEM.exec(line);
    const heading = HEADING.exec(line);
    if (FENCE.test(line)) {
      close();
      const rest = lines.slice(index + 1);
      const length = rest.findIndex((candidate) => FENCE.test(candidate));
      const code = length === -1 ? rest : rest.slice(0, length);
      blocks.push({ kind: 'code', text: code.join('\n') });
      index += code.length + 1;
    } else if (item) {
      close();
      addItem(blocks, item[1] !== undefined, parseInline(item[2] ?? ''));
    } else if (heading) {
      close();
      blocks.push({ kind: 'heading', spans: parseInline(heading[1] ?? '') });
    } else if (line.trim() === '') close();
    else open.push(line);
  }
  close();
  return blocks;
}

function addItem(blocks: MarkdownBlock[], isOrdered: boolean, item: MarkdownSpan[]): void {
  const last = blocks.at(-1);
  if (last?.kind === 'list' && last.isOrdered === isOrdered) last.items.push(item);
  else blocks.push({ kind: 'list', isOrdered, items: [item] });
}
