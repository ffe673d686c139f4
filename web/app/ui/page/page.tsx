import { type ReactNode, useEffect } from 'react';
import './page.css';

interface PageProps {
  title: string;
  /** What stands beside the title: a number, a badge. */
  aside?: ReactNode;
  /** What one can do on the page as a whole. */
  actions?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
}

/** The frame of a page: one heading, its actions, its content; the title of the tab follows. */
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
