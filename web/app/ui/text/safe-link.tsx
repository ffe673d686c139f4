import { ExternalLink } from 'lucide-react';
import type { ReactNode } from 'react';
import './safe-link.css';
import { safeUrl } from './safe-url.ts';

interface SafeLinkProps {
  href: string | undefined;
  children: ReactNode;
}

/** A link out of the product; an address that is not of the web or of mail leaves the text alone. */
export function SafeLink({ href, children }: SafeLinkProps) {
  const url = safeUrl(href);
  if (url === undefined) return <span>{children}</span>;
  return (
    <a className="safe-link" href={url} target="_blank" rel="noreferrer noopener">
      {children}
      <ExternalLink size={12} aria-hidden="true" />
      <span className="visually-hidden"> (opens elsewhere)</span>
    </a>
  );
}
