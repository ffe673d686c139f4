import type { Deployment } from '#domain/deployments/shape.ts';
import type { Id } from '#kernel/contract/proto-fields.ts';

/** A deployment in the legacy format. An organization has one deployment, so `organization_id` is its id. */
export function legacyDeploymentOf({ features, ...deployment }: Deployment) {
  const id = deployment.id as Id<'Deployment'>;
  return {
    id,
    name: deployment.name,
    display_name: deployment.displayName,
    slug: deployment.slug,
    source_type: deployment.sourceType,
    has_autofix: features.hasAutofix,
    has_deepscan: features.hasDeepscan,
    has_triage_via_comment: features.hasTriageViaComment,
    has_dependency_query: features.hasDependencyQuery,
    default_user_role: features.defaultUserRole,
    features: features.featureFlags.map(({ name, expiresAt }) => ({ name, expires_at: expiresAt })),
    organization_id: id,
    scm_name: '',
  };
}

export interface UserSort {
  by: 'name' | 'email' | 'since';
  isDescending: boolean;
}

export function parseUserSort(text = 'name'): UserSort {
  const by = text.replace('-', '');
  return { by: by === 'email' || by === 'since' ? by : 'name', isDescending: text.startsWith('-') };
}
