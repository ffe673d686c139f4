import { useQuery } from '@tanstack/react-query';
import { useOrg } from '#web/foundation/session/org.ts';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { codeLines } from '#web/ui/text/code-lines.ts';
import { CodeView } from '#web/ui/text/code-view.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import { codeQuery, type Issue } from '../model/queries.ts';
import { FindingSection } from './finding-section.tsx';

/** The code around the finding, loaded after the facts; an endpoint or a resource has none. */
export function CodeSection({ issue }: { issue: Issue }) {
  return issue.place ? null : <FileCode issue={issue} />;
}

function FileCode({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data, error, isPending, refetch } = useQuery(codeQuery(org.id, issue.id));
  const { filePath, line, endLine, codeSnippet, lineOfCodeUrl } = issue;
  const location = line > 0 ? `${filePath}:${line}` : filePath;
  return (
    <FindingSection title="Code" aside={<SafeLink href={lineOfCodeUrl}>{location}</SafeLink>}>
      {isPending && <LoadingRows rows={3} height={32} />}
      {error && <ProblemView error={error} onRetry={() => void refetch()} />}
      {data?.length === 0 && (
        <p className="dimmed">
          {issue.secretsAttributes
            ? 'Code around a secret is not stored, so that the secret is not copied.'
            : 'The scanner sent no code with this finding.'}
          {lineOfCodeUrl !== '' && ' Follow the link above to read it.'}
        </p>
      )}
      {data?.map(({ path, content }) => (
        <CodeView
          key={path}
          label={`Code of ${path}`}
          lines={codeLines({ content, code: codeSnippet, line, endLine })}
        />
      ))}
    </FindingSection>
  );
}
