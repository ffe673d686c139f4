import type { ReactNode } from 'react';
import './welcome.css';

/** The frame of the pages before one is in. */
export function WelcomeFrame({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="welcome">
      <header>
        <img src="/assets/icon.svg" alt="" width={40} height={40} />
        <h1>{title}</h1>
      </header>
      {children}
      <footer className="dimmed">
        <a href="/docs/api">API</a> · <a href="/docs/errors">Errors and what to do</a>
      </footer>
    </main>
  );
}
