import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import {
  CONFIDENCE_LABELS,
  REACHABILITY_LABELS,
  TRANSITIVITY_LABELS,
  VALIDITY_LABELS,
} from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { CopyText } from '#web/ui/clipboard/copy-text.tsx';
import { exactTerm } from '#web/ui/filter/exact-term.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import { RelativeTime } from '#web/ui/text/relative-time.tsx';
import { SafeLink } from '#web/ui/text/safe-link.tsx';
import { evidenceQuery, type Issue } from '../model/queries.ts';
import { Fact, FindingSection } from './finding-section.tsx';

/** The facts of a finding: rule, location, first scan, confidence and policy. */
export function FindingFacts({ issue }: { issue: Issue }) {
  return (
    <FindingSection title="Details">
      <dl className="finding-facts">
        <Fact name="Rule">
          <FindingsLink q={exactTerm('rule', issue.rulePath)}>{issue.rulePath}</FindingsLink>
          {issue.ruleUrl !== '' && (
            <>
              {' · '}
              <SafeLink href={issue.ruleUrl}>about the rule</SafeLink>
            </>
          )}
        </Fact>
        <Location issue={issue} />
        <FirstSeen issue={issue} />
        {issue.sastAttributes && (
          <Fact name="Confidence">{CONFIDENCE_LABELS[issue.confidence]?.replace(' confidence', '')}</Fact>
        )}
        <Package issue={issue} />
        <Secret issue={issue} />
        <Weaknesses issue={issue} />
        <Fact name="Policy">{policyOf(issue)}</Fact>
      </dl>
    </FindingSection>
  );
}

function policyOf({ policySlug, isBlocking }: Issue): string {
  if (isBlocking) return 'Blocks pull requests';
  return policySlug === 'rule-board-pr-comments' ? 'Comments on pull requests' : 'Monitored, without comments';
}

/** Where there is no file: an endpoint or a resource, with a link to all findings there. */
function Place({ place }: { place: NonNullable<Issue['place']> }) {
  const isEndpoint = place.kind === 'PLACE_KIND_ENDPOINT';
  return (
    <>
      <Fact name={isEndpoint ? 'Endpoint' : 'Resource'}>
        <FindingsLink q={exactTerm(isEndpoint ? 'endpoint' : 'resource', place.name)}>
          <code>{place.name}</code>
        </FindingsLink>{' '}
        <CopyText text={place.name} label={isEndpoint ? 'address' : 'name'} isHidden />
      </Fact>
      <Fact name={isEndpoint ? 'Request' : 'Part'}>{place.part !== '' && <code>{place.part}</code>}</Fact>
    </>
  );
}

function FilePlace({ issue: { filePath, line, lineOfCodeUrl } }: { issue: Issue }) {
  const location = line > 0 ? `${filePath}:${line}` : filePath;
  return (
    <Fact name="Where">
      {filePath !== '' && (
        <>
          <SafeLink href={lineOfCodeUrl}>
            <code>{location}</code>
          </SafeLink>{' '}
          <CopyText text={location} label="path" isHidden />
        </>
      )}
    </Fact>
  );
}

function Location({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { place, repository, ref } = issue;
  return (
    <>
      {place ? <Place place={place} /> : <FilePlace issue={issue} />}
      <Fact name="Project">
        <Link to="/o/$slug/projects/$projectId" params={{ slug: org.slug, projectId: repository.id }}>
          {repository.name}
        </Link>
        {ref !== '' && <span className="dimmed"> on {ref.replace(/^refs\/heads\//, '')}</span>}
      </Fact>
    </>
  );
}

function FirstSeen({ issue }: { issue: Issue }) {
  const org = useOrg();
  const { data } = useQuery(evidenceQuery(org.id, issue.id));
  const { commit = '', by = '' } = data?.firstSeen ?? {};
  const scanId = data?.firstSeen.scanId ?? issue.firstSeenScan.id;
  return (
    <Fact name="First seen">
      <RelativeTime at={issue.firstDetectedAt ?? issue.createdAt} />
      {' by '}
      <Link to="/o/$slug/scans/$scanId" params={{ slug: org.slug, scanId }}>
        scan {scanId}
      </Link>
      {commit !== '' && (
        <>
          {' of '}
          <SafeLink href={issue.commitUrl}>
            <code>{commit.slice(0, 10)}</code>
          </SafeLink>
        </>
      )}
      {by !== '' && <span className="dimmed"> ({by})</span>}
    </Fact>
  );
}

function Package({ issue }: { issue: Issue }) {
  const { slug } = useOrg();
  const sca = issue.scaAttributes;
  if (!sca) return null;
  const { package: name, version, transitivity, ecosystem } = sca.foundDependency;
  return (
    <>
      <Fact name="Package">
        <Link to="/o/$slug/dependencies" params={{ slug }} search={{ q: name }}>
          {name}
        </Link>{' '}
        {version}{' '}
        <span className="dimmed">{[TRANSITIVITY_LABELS[transitivity], ecosystem].filter(Boolean).join(', ')}</span>
      </Fact>
      <Fact name="Advisory">
        {sca.vulnDatabaseIdentifier !== '' && (
          <FindingsLink q={exactTerm('advisory', sca.vulnDatabaseIdentifier)}>
            {sca.vulnDatabaseIdentifier}
          </FindingsLink>
        )}
      </Fact>
      <Fact name="Reachability">
        {REACHABILITY_LABELS[sca.reachability]}
        {sca.reachableCondition !== '' && `: ${sca.reachableCondition}`}
      </Fact>
      <Fact name="Exploit probability">
        {sca.epssScore && `${(sca.epssScore.score * 100).toFixed(1)} % within 30 days (EPSS)`}
      </Fact>
    </>
  );
}

function Secret({ issue }: { issue: Issue }) {
  const secret = issue.secretsAttributes;
  if (!secret) return null;
  return (
    <>
      <Fact name="Secret type">{secret.secretType}</Fact>
      <Fact name="Validity">{VALIDITY_LABELS[secret.validationState]}</Fact>
    </>
  );
}

function Weaknesses({ issue }: { issue: Issue }) {
  const { ruleCweNames, ruleOwaspNames } = issue;
  return (
    <>
      <Fact name="Weakness">
        {ruleCweNames.length > 0 && (
          <ul className="finding-inline">
            {ruleCweNames.map((name) => (
              <li key={name}>
                <FindingsLink q={exactTerm('cwe', /^CWE-\d+/i.exec(name)?.[0] ?? name)}>{name}</FindingsLink>
              </li>
            ))}
          </ul>
        )}
      </Fact>
      <Fact name="OWASP">
        {ruleOwaspNames.length > 0 && (
          <ul className="finding-inline">
            {ruleOwaspNames.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
      </Fact>
    </>
  );
}
