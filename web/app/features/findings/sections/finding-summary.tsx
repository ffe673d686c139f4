import { CONFIDENCE_LABELS, REACHABILITY_LABELS, VALIDITY_LABELS } from '#web/foundation/format/labels.ts';
import { TypeChip } from '#web/ui/badges/finding-chips.tsx';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import type { Issue } from '../model/queries.ts';

/** What makes a finding of this type more or less sure. */
function certaintyOf({ scaAttributes, secretsAttributes, confidence }: Issue): string | undefined {
  if (secretsAttributes) return VALIDITY_LABELS[secretsAttributes.validationState];
  if (scaAttributes) return REACHABILITY_LABELS[scaAttributes.reachability];
  return CONFIDENCE_LABELS[confidence];
}

/** How bad, of which type, how sure; by which id, where nothing else says so. */
export function FindingSummaryChips({ issue, hasId = false }: { issue: Issue; hasId?: boolean }) {
  const certainty = certaintyOf(issue);
  return (
    <p className="finding-chips">
      <SeverityChip severity={severityOf(issue.exactSeverity)} />
      <TypeChip type={issue.issueType} />
      {certainty !== undefined && <span className="finding-chip">{certainty}</span>}
      {issue.isBlocking && <span className="finding-chip">Blocks merges</span>}
      {issue.isArchived && <span className="finding-chip">Archived project</span>}
      {hasId && <CopyText text={`ISS-${issue.id}`} label="id" />}
    </p>
  );
}

/** What is wrong: the words of the rule, as text. */
export function FindingMessage({ issue }: { issue: Issue }) {
  const { message, ruleDisplayName, aiImpact } = issue;
  return (
    <div className="finding-message">
      {message !== ruleDisplayName && <Markdown text={message} />}
      {aiImpact !== '' && <Markdown text={aiImpact} />}
    </div>
  );
}
