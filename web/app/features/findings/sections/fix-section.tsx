import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { DiffView } from '#web/ui/text/code-view.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import type { Issue } from '../model/queries.ts';
import { copyFixPrompt } from './copy-fix-prompt.ts';
import { FindingSection } from './finding-section.tsx';
import { diffLines, fixDiff } from './fix-diff.ts';

/** How to fix it: an upgrade, the rule's fix as a diff, guidance and references. */
export function FixSection({ issue }: { issue: Issue }) {
  const { remediation, scaAttributes, ruleReferences, ruleExplanation } = issue;
  const guidance = remediation?.guidance;
  return (
    <FindingSection
      title="How to fix it"
      aside={
        <Button
          size="compact-sm"
          variant="default"
          className="no-print"
          leftSection={<Sparkles size={14} />}
          onClick={() => void copyFixPrompt(issue)}
        >
          Copy fix prompt
        </Button>
      }
    >
      <Upgrade issue={issue} />
      <SecretAdvice issue={issue} />
      <RuleFix issue={issue} />
      {guidance && <Markdown text={guidance.guidanceText || guidance.summary} />}
      {ruleExplanation && <Markdown text={ruleExplanation.explanation || ruleExplanation.summary} />}
      {!remediation && !scaAttributes && !issue.secretsAttributes && (
        <p className="dimmed">The rule suggests no fix.{ruleReferences.length > 0 && ' References:'}</p>
      )}
      {ruleReferences.length > 0 && (
        <ul className="finding-references">
          {ruleReferences.map((url) => (
            <li key={url}>
              <SafeLink href={url}>{url}</SafeLink>
            </li>
          ))}
        </ul>
      )}
    </FindingSection>
  );
}

function RuleFix({ issue }: { issue: Issue }) {
  const autofix = issue.remediation?.autofix;
  if (!autofix || (autofix.fixCode === '' && autofix.fixDiff === '')) return null;
  const { line, endLine, column, endColumn, codeSnippet: code } = issue;
  const lines =
    autofix.fixDiff === ''
      ? fixDiff({ code, fix: autofix.fixCode, line, endLine, column, endColumn })
      : diffLines(autofix.fixDiff);
  return (
    <>
      <DiffView label="Suggested change" lines={lines} />
      {autofix.explanation !== '' && <Markdown text={autofix.explanation} />}
    </>
  );
}

function Upgrade({ issue }: { issue: Issue }) {
  const sca = issue.scaAttributes;
  if (!sca) return null;
  const { package: name, version, transitivity } = sca.foundDependency;
  const others = sca.fixRecommendations.filter((fix) => fix.version !== sca.bestFix?.version);
  return (
    <div className="finding-upgrade">
      {sca.bestFix ? (
        <p>
          Upgrade <strong>{name}</strong> from <code>{version}</code> to <code>{sca.bestFix.version}</code>.
        </p>
      ) : (
        <p>
          No fixed version of <strong>{name}</strong> is known: replace it, or accept the risk.
        </p>
      )}
      {transitivity === 'TRANSITIVE' && (
        <p className="dimmed">
          Another package depends on it
          {sca.introducedBy.length > 0 &&
            ` (${sca.introducedBy.map((parent) => `${parent.package} ${parent.version}`).join(', ')})`}
          : upgrade that package, or pin this version.
        </p>
      )}
      {others.length > 0 && (
        <p className="dimmed">Other fixed versions: {others.map((fix) => fix.version).join(', ')}.</p>
      )}
    </div>
  );
}

function SecretAdvice({ issue }: { issue: Issue }) {
  if (!issue.secretsAttributes) return null;
  return (
    <p>
      Revoke the secret where it was issued, replace it, and keep the new one out of the code. Removing it from the file
      is not enough: it is still in the history.
    </p>
  );
}
