import { createContext, type ReactNode, use, useId } from 'react';
import './finding-section.css';

/** The heading level: 2 on the finding's page, 3 in a panel. */
export const HeadingLevel = createContext<2 | 3>(2);

interface FindingSectionProps {
  title: string;
  /** Shown at the end of the heading line. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A section of a finding with a heading. */
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

/** A term with its value; renders nothing without a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === undefined || children === null || children === '' || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
