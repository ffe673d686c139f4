import type { FieldError } from '#kernel/contract/fault.ts';
import type { CiCondition, CiProvider, CiTrust } from './contract.ts';

type Claims = Readonly<Record<string, unknown>>;

/**
 * The claims that name the owner of a job, with the form that a prefix must have to name one owner: `acme*` would also
 * accept the repositories of `acme-evil`. Without a form only whole values are accepted.
 */
const OWNER_CLAIMS: Record<CiProvider, Record<string, RegExp | undefined>> = {
  GITHUB_ACTIONS: {
    repository: /^[^/*]+\//,
    repository_id: undefined,
    repository_owner: undefined,
    repository_owner_id: undefined,
    enterprise: undefined,
    enterprise_id: undefined,
    sub: /^repo:[^/*]+\//,
  },
  GITLAB_CI: {
    project_path: /^[^/*]+\//,
    project_id: undefined,
    namespace_path: /^[^/*]+\//,
    namespace_id: undefined,
    sub: /^project_path:[^/*]+\//,
  },
  BUILDKITE: { organization_slug: undefined, organization_id: undefined, sub: /^organization:[^:*]+:/ },
  GENERIC: {},
};

const isPrefix = (value: string) => value.endsWith('*');

/** True if every accepted value names one owner. */
const namesOwner = (provider: CiProvider, { claim, values }: CiCondition): boolean => {
  const owners = OWNER_CLAIMS[provider];
  if (!(claim in owners)) return false;
  return values.every((value) => !isPrefix(value) || owners[claim]?.test(value) === true);
};

const PLACEHOLDER = /\{([^{}]*)\}/g;
const CLAIM_NAME = /^[\w./:-]{1,100}$/;

type TrustDraft = Pick<CiTrust, 'provider' | 'issuer' | 'conditions' | 'project'>;

/** What is wrong with a trust; `isCallable` tells whether this server may call a URL. */
export function validateTrust(draft: TrustDraft, isCallable: (url: string) => boolean): FieldError[] {
  const errors: FieldError[] = [];
  const add = (pointer: string, code: string, detail: string) => errors.push({ pointer: `#/${pointer}`, code, detail });
  const { provider, issuer, conditions, project } = draft;
  if (issuer.includes('?') || issuer.includes('#')) add('issuer', 'URL', 'must have no query and no fragment');
  else if (!isCallable(issuer)) add('issuer', 'URL', 'is not a URL that this server calls');
  conditions.forEach(({ claim, values }, index) => {
    if (conditions.findIndex((other) => other.claim === claim) !== index)
      add(`conditions/${index}/claim`, 'REPEATED', 'names a claim twice; put all its values into one condition');
    values.forEach((value, at) => {
      if (value.slice(0, -1).includes('*') || value === '*')
        add(`conditions/${index}/values/${at}`, 'PATTERN', 'may have one *, at the end of a prefix');
    });
  });
  if (provider !== 'GENERIC' && !conditions.some((condition) => namesOwner(provider, condition))) {
    const claims = Object.keys(OWNER_CLAIMS[provider]).join(', ');
    add('conditions', 'OWNER', `must name the whole owner by one of ${claims}: the issuer signs tokens for everybody`);
  }
  const placeholders = [...project.matchAll(PLACEHOLDER)].map(([, claim = '']) => claim);
  const rest = project.replace(PLACEHOLDER, '');
  if (/[{}]/.test(rest) || placeholders.some((claim) => !CLAIM_NAME.test(claim)))
    add('project', 'TEMPLATE', 'must be a name with claims in braces, such as {repository}');
  return errors;
}

/** The value of a claim as text; undefined if it is absent or not a single value. */
function claimText(claims: Claims, claim: string): string | undefined {
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}

const accepts = (accepted: string, text: string): boolean =>
  isPrefix(accepted) ? text.startsWith(accepted.slice(0, -1)) : text === accepted;

/** The first condition that the claims do not meet, in words; undefined if they meet all. */
export function unmetCondition(conditions: readonly CiCondition[], claims: Claims): string | undefined {
  for (const { claim, values } of conditions) {
    const text = claimText(claims, claim);
    if (text === undefined) return `The token has no claim ${claim}.`;
    if (!values.some((accepted) => accepts(accepted, text)))
      return `The claim ${claim} is ${JSON.stringify(text.slice(0, 200))}, which is not among the accepted values.`;
  }
  return undefined;
}

const MAX_PROJECT_LENGTH = 512;

/** The project that the template names for these claims: empty for all projects, undefined if it names none. */
export function projectOf(template: string, claims: Claims): string | undefined {
  const texts = [...template.matchAll(PLACEHOLDER)].map(([, claim = '']) => claimText(claims, claim));
  if (texts.some((text) => text === undefined || text === '')) return undefined;
  const name = template.replace(PLACEHOLDER, () => texts.shift() ?? '').trim();
  if (template !== '' && name === '') return undefined;
  return name.length <= MAX_PROJECT_LENGTH ? name : undefined;
}
