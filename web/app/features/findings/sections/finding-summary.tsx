import { CONFIDENCE_LABELS, REACHABILITY_LABELS, VALIDITY_LABELS } from '#web/foundation/format/labels.ts';
import { TypeChip } from '#web/ui/badges/finding-chips.tsx';
import { SeverityChip, severityOf } from '#web/ui/badges/severity.tsx';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import type { Issue } from '../model/queries.ts';

/** Validity of a secret, reachability of a dependency, else the confidence. */
function certaintyOf({ scaAttributes, secretsAttributes, confidence }: Issue): string | undefined {
  if (secretsAttributes) return VALIDITY_LABELS[secretsAttributes.validationState];
  if (scaAttributes) return REACHABILITY_LABELS[scaAttributes.reachability];
  return CONFIDENCE_LABELS[confidence];
}

/** Severity, type and certainty as chips; the id too if nothing else shows it. */
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

/** The rule's message, and the impact described by AI. */
export function FindingMessage({ issue }: { issue: Issue }) {
  const { message, ruleDisplayName, aiImpact } = issue;
  return (
    <div className="finding-message">
      {message !== ruleDisplayName && <Markdown text={message} />}
      {aiImpact !== '' && <Markdown text={aiImpact} />}
    </div>
  );
}
