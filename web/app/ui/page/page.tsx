import { type ReactNode, useEffect } from 'react';
import './page.css';

interface PageProps {
  title: string;
  /** Shown beside the title, such as a count or a badge. */
  aside?: ReactNode;
  /** Actions for the whole page. */
  actions?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
}

/** Page layout with a heading, actions and content. Sets the document title. */
export function Page({ title, aside, actions, children, isWide = false }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Parapet`;
  }, [title]);
  return (
    <div className={isWide ? 'page page-wide' : 'page'}>
      <header className="page-head">
        <h1>{title}</h1>
        {aside}
        <div className="page-actions no-print">{actions}</div>
      </header>
      {children}
    </div>
  );
}
