import { TypeChip } from '#web/ui/badges/finding-chips.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import type { ReviewItem } from './queries.ts';

/** The second line of a finding in the inbox: what and where it is, and since when. */
export function FindingFacts({ item }: { item: ReviewItem }) {
  const { type, projectName, path, line, firstSeenAt, isReopened } = item;
  return (
    <>
      <TypeChip type={type} />
      <span>{projectName}</span>
      <span className="inbox-path">{line > 0 ? `${path}:${line}` : path}</span>
      <span>
        {isReopened && 'reopened, first seen '}
        <RelativeTime at={firstSeenAt} />
      </span>
    </>
  );
}
