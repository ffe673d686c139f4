import { createElement, Fragment, type ReactNode } from 'react';
import './markdown.css';
import { type MarkdownBlock, type MarkdownSpan, parseMarkdown } from './markdown-parser.ts';
import { SafeLink } from './safe-link.tsx';

function spanNode(span: MarkdownSpan): ReactNode {
  switch (span.kind) {
    case 'text':
      return span.text;
    case 'code':
      return <code>{span.text}</code>;
    case 'strong':
      return <strong>{nodes(span.spans)}</strong>;
    case 'emphasis':
      return <em>{nodes(span.spans)}</em>;
    case 'link':
      return <SafeLink href={span.href}>{nodes(span.spans)}</SafeLink>;
  }
}

/** Spreads the children, because parts of a text have no stable keys. */
const nodes = (spans: readonly MarkdownSpan[]): ReactNode => createElement(Fragment, null, ...spans.map(spanNode));

const itemNode = (item: readonly MarkdownSpan[]): ReactNode => <li>{nodes(item)}</li>;

function blockNode(block: MarkdownBlock): ReactNode {
  switch (block.kind) {
    case 'paragraph':
      return <p>{nodes(block.spans)}</p>;
    case 'heading':
      return (
        <p>
          <strong>{nodes(block.spans)}</strong>
        </p>
      );
    case 'code':
      return <pre tabIndex={0}>{block.text}</pre>;
    case 'list':
      return createElement(block.isOrdered ? 'ol' : 'ul', null, ...block.items.map(itemNode));
  }
}

/** Renders a safe subset of Markdown, for notes and rule descriptions. */
export function Markdown({ text }: { text: string }) {
  return createElement('div', { className: 'markdown' }, ...parseMarkdown(text).map(blockNode));
}
