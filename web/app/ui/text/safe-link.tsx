import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import './safe-link.css';
import { safeUrl } from './safe-url.ts';

interface SafeLinkProps {
  href: string | undefined;
  children: ReactNode;
}

/** An external link; a URL with an unsafe scheme renders as plain text. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const url = safeUrl(href);
  if (url === undefined) return <span>{children}</span>;
  return (
    <a className="safe-link" href={url} target="_blank" rel="noreferrer noopener">
      {children}
      <ExternalLink size={12} aria-hidden="true" />
      <span className="visually-hidden"> (opens in a new tab)</span>
    </a>
  );
}
