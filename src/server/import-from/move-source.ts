import type { ReportFormat } from '#domain/reports/shape.ts';
import type { MoveTally } from './move-tally.ts';

export type MovedState = 'IGNORED' | 'REVIEWING' | 'FIXING' | 'REOPENED' | 'PROVISIONALLY_IGNORED';
export type MovedReason = 'FALSE_POSITIVE' | 'NO_TIME' | 'ACCEPTABLE_RISK' | 'DUPLICATE' | 'NO_TRIAGE_REASON';

/** A decision or a note on a finding. */
export interface MovedDecision {
  state?: MovedState;
  reason?: MovedReason;
  note?: string;
  /** When the decision ends. */
  until?: string;
}

/** A finding of the other system. */
export interface MovedFinding {
  /** The name of the report that it is sent with; a project can have several. */
  report: string;
  /** An element of that report. Without triage: a decision of a report would end with the next scan. */
  record: object;
  /** By this id the finding is found again here (`matchBasedId`). */
  key: string;
  decision?: MovedDecision;
}

export interface MovedProject {
  /** The id in the other system. */
  id: string;
  name: string;
  tags: string[];
  /** The branch that is moved; the default of this server if it is unknown. */
  ref?: string;
  /** The primary branch as set in the other system. */
  primaryRef?: string;
}

/** A system that is left. */
export interface MoveSource {
  readonly title: string;
  readonly format: ReportFormat;
  /** What is read: an address and the name of an organization. */
  connect(): Promise<string>;
  projects(): AsyncIterable<MovedProject>;
  /** Counts in the tally what does not come along. */
  findings(project: MovedProject, tally: MoveTally): AsyncIterable<MovedFinding>;
  /** The text around the records of a report. */
  frame(report: string): readonly [before: string, after: string];
}
