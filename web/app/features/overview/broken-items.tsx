import { TriangleAlert } from 'lucide-react';
import { useOrg } from '#web/foundation/session/org.ts';
import { localHref } from './local-href.ts';
import type { Overview } from './overview-query.ts';

/** Lists what is broken, such as failing scans. */
export function BrokenItems({ overview: { broken, projectCount } }: { overview: Overview }) {
  const { slug } = useOrg();
  if (projectCount === 0) return <p className="dimmed overview-broken">No project was scanned yet.</p>;
  if (broken.length === 0)
    return <p className="dimmed overview-broken">Nothing is broken: all projects are scanned.</p>;
  return (
    <section className="overview-broken">
      <h2>Problems</h2>
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
