import { TriangleAlert } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { localHref } from './local-href.ts';
import type { Overview } from './overview-query.ts';

/** One line for each thing that does not work, or that all does. */
export function BrokenItems({ overview: { broken } }: { overview: Overview }) {
  const { slug } = useOrg();
  if (broken.length === 0) return <p className="dimmed overview-broken">Nothing is broken: every project reports.</p>;
  return (
    <section className="overview-broken">
      <h2>What is broken</h2>
      <ul>
        {broken.map(({ kind, text, href }) => {
          const path = localHref(href, slug);
          return (
            <li key={`${kind} ${text}`}>
              <TriangleAlert size={16} aria-hidden="true" />
              {path === undefined ? text : <a href={path}>{text}</a>}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
