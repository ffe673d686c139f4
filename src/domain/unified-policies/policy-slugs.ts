import type { TakenSlug } from '#domain/automations/policy-store.ts';
import { nameKey, slugOf } from '#domain/deployments/rules.ts';
import type { BundleProblem } from './policy-checks.ts';
import type { RemediationPolicyDraft } from './shape.ts';

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_SLUG_LENGTH = 64;

/** A policy whose slug is given, derived from its name, or that of a policy of the same name. */
export function assignSlugs(
  drafts: readonly RemediationPolicyDraft[],
  existing: readonly { slug: string; name: string }[],
): string[] {
  const slugs = new Set(existing.map(({ slug }) => slug));
  const given = new Set(drafts.flatMap(({ slug }) => slug || []));
  const byName = new Map(
    existing.filter(({ slug }) => !given.has(slug)).map(({ slug, name }) => [nameKey(name), slug]),
  );
  return drafts.map(({ slug, name }) => {
    if (slug !== undefined && slug !== '') return slug;
    const derived = slugOf(name);
    return slugs.has(derived) ? derived : (byName.get(nameKey(name)) ?? derived);
  });
}

/** What is wrong with the slugs of a bundle. `existing` are those of its stored policies, `taken` those of all. */
export function slugProblems(
  slugs: readonly string[],
  { existing, taken }: { existing: ReadonlySet<string>; taken: ReadonlyMap<string, TakenSlug> },
): BundleProblem[] {
  return slugs.flatMap((slug, index): BundleProblem[] => {
    const about = { slug, context: { slug } };
    if (slugs.indexOf(slug) !== index)
      return [{ code: 'DUPLICATE_SLUG', message: `two policies have the slug ${slug}`, ...about }];
    if (existing.has(slug)) return [];
    if (!SLUG.test(slug) || slug.length > MAX_SLUG_LENGTH)
      return [
        { code: 'INVALID_SLUG', message: `${slug} is not a slug of 1 to 64 characters a-z, 0-9 and -`, ...about },
      ];
    const holder = taken.get(slug);
    const isFree = holder === undefined || (holder.isDeleted && holder.isOfUser);
    return isFree
      ? []
      : [
          {
            code: 'RESERVED_SLUG',
            message: `the slug ${slug} belongs to an automation that is managed elsewhere`,
            ...about,
          },
        ];
  });
}
