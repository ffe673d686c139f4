import type { CiTrust } from './queries.ts';

type Provider = CiTrust['provider'];

export interface TrustDraft {
  name: string;
  provider: Provider;
  issuer: string;
  audience: string;
  algorithm: CiTrust['algorithm'];
  /** One condition on each line: the claim, `=`, and its values with commas between them. */
  conditions: string;
  project: string;
  minutes: string;
  enabled: boolean;
}

interface ProviderPreset {
  label: string;
  issuer: string;
  conditions: string;
  project: string;
}

export const PROVIDERS: Record<Provider, ProviderPreset> = {
  GITHUB_ACTIONS: {
    label: 'GitHub Actions',
    issuer: 'https://token.actions.githubusercontent.com',
    conditions: 'repository = acme/*\nref = refs/heads/main, refs/pull/*',
    project: '{repository}',
  },
  GITLAB_CI: {
    label: 'GitLab CI',
    issuer: 'https://gitlab.com',
    conditions: 'project_path = acme/*\nref_protected = true',
    project: '{project_path}',
  },
  BUILDKITE: {
    label: 'Buildkite',
    issuer: 'https://agent.buildkite.com',
    conditions: 'organization_slug = acme',
    project: '{organization_slug}/{pipeline_slug}',
  },
  GENERIC: { label: 'Another OpenID issuer', issuer: 'https://', conditions: 'sub = ', project: '' },
};

/** The draft of a new trust, with the values that its provider usually has. */
export const draftOfPreset = (provider: Provider, audience: string): TrustDraft => ({
  name: PROVIDERS[provider].label,
  provider,
  issuer: PROVIDERS[provider].issuer,
  audience,
  algorithm: 'RS256',
  conditions: PROVIDERS[provider].conditions,
  project: PROVIDERS[provider].project,
  minutes: '15',
  enabled: true,
});

export const draftOfTrust = (trust: CiTrust): TrustDraft => ({
  ...trust,
  conditions: trust.conditions.map(({ claim, values }) => `${claim} = ${values.join(', ')}`).join('\n'),
  minutes: String(Math.round(trust.lifetimeSeconds / 60)),
});

/** The conditions of the text; a line without `=` becomes a claim without values, which the server refuses. */
export const parseConditions = (text: string): CiTrust['conditions'] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const [claim = '', ...rest] = line.split('=');
      const values = rest.join('=').split(',');
      return { claim: claim.trim(), values: values.map((value) => value.trim()).filter((value) => value !== '') };
    });

export const bodyOf = ({ conditions, minutes, ...draft }: TrustDraft) => ({
  name: draft.name.trim(),
  provider: draft.provider,
  issuer: draft.issuer.trim(),
  audience: draft.audience.trim(),
  algorithm: draft.algorithm,
  conditions: parseConditions(conditions),
  project: draft.project.trim(),
  lifetimeSeconds: Number(minutes) * 60,
  enabled: draft.enabled,
});
