/** Why a result was taken for a finding that is known, by the step of tracking that said so. */
const SENTENCES: Record<string, string> = {
  identity: 'It is the same advisory in the same package, or the same secret, which a project has once.',
  exact: 'The fingerprint and the code around it are the same.',
  same: 'The fingerprint is the same, and nothing else in the file has it; the code around it changed.',
  aligned: 'Several places share the fingerprint; this one fits best by its order and the code around it.',
  offset: 'The code changed, but it is alike and on the same line of the same function.',
  scope: 'The code changed, but it is the one most alike in the same function.',
  new: 'Nothing that was known resembled it.',
};

interface Place {
  path: string;
  line: number;
}

/** The move from one place to another in words, where there was one. */
function moveOf(from: Place | undefined, to: Place | undefined): string {
  if (!from || !to) return '';
  if (from.path !== to.path) return ` It moved from ${from.path} to ${to.path}.`;
  return from.line === to.line ? '' : ` It moved from line ${from.line} to line ${to.line}.`;
}

/** In plain words why this was taken for the same finding. */
export const matchSentence = (tier: string, from?: Place, to?: Place): string =>
  `${SENTENCES[tier] ?? 'Tracking took it for the same.'}${moveOf(from, to)}`;

export interface LinkedFinding {
  relation: string;
  evidence: Record<string, unknown>;
  title: string;
  path: string;
}

/** In plain words why another finding may be the same. */
export function linkSentence({ relation, evidence, title, path }: LinkedFinding): string {
  if (relation === 'same_weakness') {
    const cwes = Array.isArray(evidence['cwes']) ? evidence['cwes'].join(', ') : 'weakness';
    return `"${title}" of another tool names the same ${cwes} in the same lines of ${path}.`;
  }
  const alike = Number(evidence['alike']);
  const share = Number.isFinite(alike) ? ` is ${Math.round(alike * 100)} % alike and` : '';
  return `"${title}"${share} came or went with it in ${path}: it may be the same, rewritten.`;
}
