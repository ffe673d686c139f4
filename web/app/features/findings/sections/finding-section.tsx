import { createContext, type ReactNode, use, useId } from 'react';
import './finding-section.css';

/** The level of the headings: one deeper in a panel than on a page of its own. */
export const HeadingLevel = createContext<2 | 3>(2);

interface FindingSectionProps {
  title: string;
  /** What stands at the other end of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of what is told about a finding, under its own heading. */
export function FindingSection({ title, aside, children }: FindingSectionProps) {
  const id = useId();
  const Heading = use(HeadingLevel) === 2 ? 'h2' : 'h3';
  return (
    <section className="finding-section" aria-labelledby={id}>
      <header className="finding-section-head">
        <Heading id={id}>{title}</Heading>
        {aside}
      </header>
      {children}
    </section>
  );
}

/** A fact with its name; a fact that is not there takes no place. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '' || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
