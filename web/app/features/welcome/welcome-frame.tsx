import type { ReactNode } from 'react';
import './welcome.css';

interface WelcomeFrameProps {
  title: string;
  isWide?: boolean;
  children: ReactNode;
}

/** The layout of the pages outside of an organization. */
export function WelcomeFrame({ title, isWide = false, children }: WelcomeFrameProps) {
  return (
    <main className={isWide ? 'welcome welcome-wide' : 'welcome'}>
      <header>
        <img src="/assets/icon.svg" alt="" width={40} height={40} />
        <h1>{title}</h1>
      </header>
      {children}
      <footer className="dimmed">
        <a href="/docs/api">API</a> · <a href="/docs/errors">Error reference</a>
      </footer>
    </main>
  );
}
