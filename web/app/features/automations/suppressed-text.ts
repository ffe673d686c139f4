/** Why a run did nothing about findings that met the conditions. */
const REASONS: Record<string, string> = {
  archived_project: 'in archived projects',
  not_open: 'not open any more',
  held_before: 'met the conditions before',
  already_fired: 'fired for before',
  decided_by_people: 'decided by people',
  held: 'held',
  digest: 'collected in a digest',
  flood: 'held because of unusually many matches',
};

/** Describes what a run passed over, by reason. */
export function suppressedText(suppressed: Readonly<Record<string, number>>): string {
  const parts = Object.entries(suppressed)
    .filter(([, count]) => count > 0)
    .map(([reason, count]) => `${count} ${REASONS[reason] ?? reason}`);
  return parts.length === 0 ? '–' : parts.join(', ');
}
