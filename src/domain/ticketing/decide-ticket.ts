/** What is known about a ticket: its findings here, and its state at the tracker now and before. */
export interface TicketFacts {
  /** Findings that are neither fixed nor removed. */
  open: number;
  remote: 'open' | 'closed';
  /** The tracker was told that all findings are fixed. */
  isFixedTold: boolean;
  /** People were told that the ticket was closed though findings are open. */
  isClosedTold: boolean;
}

export type TicketDecision =
  /** Close the ticket, or say once that everything is fixed. */
  | 'close'
  /** Open the ticket again, or a new one that names it. */
  | 'reopen'
  /** Tell people that somebody closed the ticket of open findings; the findings stay as they are. */
  | 'tell_closed'
  /** Note that the ticket was closed when its findings were fixed. */
  | 'settle'
  /** Forget what was told, because it is not so any more. */
  | 'forget'
  | 'nothing';

/** Compares both sides. Only scans decide about findings, and only people about the tracker's own states. */
export function decideTicket({ open, remote, isFixedTold, isClosedTold }: TicketFacts): TicketDecision {
  if (open === 0) {
    if (isFixedTold) return 'nothing';
    return remote === 'open' ? 'close' : 'settle';
  }
  if (remote === 'open') return isFixedTold || isClosedTold ? 'forget' : 'nothing';
  if (isFixedTold) return 'reopen';
  return isClosedTold ? 'nothing' : 'tell_closed';
}
