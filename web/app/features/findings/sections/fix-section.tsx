import { Button } from '@mantine/core';
import { Sparkles } from 'lucide-react';
import { DiffView } from '#web/ui/text/code-view.tsx';
import { Markdown } from '#web/ui/text/markdown.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import type { Issue } from '../model/queries.ts';
import { copyFixPrompt } from './copy-fix-prompt.ts';
import { FindingSection } from './finding-section.tsx';
import { diffLines, fixDiff } from './fix-diff.ts';

/** How to fix it: the rule's fix as a change, the version without the flaw, guidance and further reading. */
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
        <p className="dimmed">The rule brings no fix of its own{ruleReferences.length > 0 ? '; read on:' : '.'}</p>
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
      <DiffView label="Change that the rule suggests" lines={lines} />
      {autofix.explanation !== '' && <Markdown text={autofix.explanation} />}
    </>
  );
}

function Upgrade({ issue }: { issue: Issue }) {
  const sca = issue.scaAttributes;
  if (!sca) return null;
  const { package: name, version, transitivity } = sca.foundDependency;
  const others = sca.fixRecommendations.filter((one) => one.version !== sca.bestFix?.version);
  return (
    <div className="finding-upgrade">
      {sca.bestFix ? (
        <p>
          Upgrade <strong>{name}</strong> from <code>{version}</code> to <code>{sca.bestFix.version}</code>.
        </p>
      ) : (
        <p>
          No version of <strong>{name}</strong> without the flaw is known: replace it, or decide to accept the risk.
        </p>
      )}
      {transitivity === 'TRANSITIVE' && (
        <p className="dimmed">
          Another package brings it in
          {sca.introducedBy.length > 0 &&
            ` (${sca.introducedBy.map((one) => `${one.package} ${one.version}`).join(', ')})`}
          : upgrade that one, or pin this version.
        </p>
      )}
      {others.length > 0 && <p className="dimmed">Also without it: {others.map((one) => one.version).join(', ')}.</p>}
    </div>
  );
}

function SecretAdvice({ issue }: { issue: Issue }) {
  if (!issue.secretsAttributes) return null;
  return (
    <p>
      Revoke the secret where it was issued, replace it, and keep the new one out of the code. Taking it out of the file
      is not enough: the history still has it.
    </p>
  );
}
