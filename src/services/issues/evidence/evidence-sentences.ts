/** Why a result was matched to a known finding, by the tracking pass that matched it. */
const SENTENCES: Record<string, string> = {
  identity: 'It is the same advisory in the same package, or the same secret, which a project has once.',
  exact: 'The fingerprint and the code around it are the same.',
  same: 'The fingerprint is the same, and nothing else in the file has it; the code around it changed.',
  aligned: 'Several places share the fingerprint; this one fits best by its order and the code around it.',
  offset: 'The code changed, but it is alike and on the same line of the same function.',
  scope: 'The code changed, but it is the one most alike in the same function.',
  edited: 'The code was edited, but it and the code around it are alike, and nothing else in the file is more alike.',
  new: 'Nothing that was known resembled it.',
};

interface Location {
  path: string;
  line: number;
}

/** Describes how the finding moved; empty if it did not. */
function moveOf(from: Location | undefined, to: Location | undefined): string {
  if (!from || !to) return '';
  if (from.path !== to.path) return ` It moved from ${from.path} to ${to.path}.`;
  return from.line === to.line ? '' : ` It moved from line ${from.line} to line ${to.line}.`;
}

/** Explains why a result was matched to this finding. */
export const matchSentence = (tier: string, from?: Location, to?: Location): string =>
  `${SENTENCES[tier] ?? 'Tracking took it for the same.'}${moveOf(from, to)}`;

export interface LinkedFinding {
  relation: string;
  evidence: Record<string, unknown>;
  title: string;
  path: string;
}

/** Explains why another finding may be a duplicate. */
export function linkSentence({ relation, evidence, title, path }: LinkedFinding): string {
  if (relation === 'same_weakness') {
    const cwes = Array.isArray(evidence['cwes']) ? evidence['cwes'].join(', ') : 'weakness';
    return `"${title}" of another tool names the same ${cwes} in the same lines of ${path}.`;
  }
  const alike = Number(evidence['alike']);
  const share = Number.isFinite(alike) ? ` is ${Math.round(alike * 100)} % alike and` : '';
  return `"${title}"${share} came or went with it in ${path}: it may be the same, rewritten.`;
}
