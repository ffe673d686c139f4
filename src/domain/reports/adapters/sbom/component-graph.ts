import { packageOf, parsePurl } from '../../identity/package-url.ts';
import { addAll, withoutUndefined } from '../../json/loose-values.ts';
import type { ReportedDependency, ReportItem } from '../../report-items.ts';

/** A component of a bill of materials. */
export interface SbomComponent {
  ref: string;
  dependency: ReportedDependency;
}

/** Components and their dependencies; transitivity is known only after both are complete. */
export class ComponentGraph {
  readonly #components = new Map<string, ReportedDependency>();
  readonly #dependsOn = new Map<string, string[]>();
  readonly #roots = new Set<string>();
  #unnamed = 0;

  add({ ref, dependency }: SbomComponent): void {
    this.#components.set(ref === '' ? `unnamed ${this.#unnamed++}` : ref, dependency);
  }

  addRoot(ref: string): void {
    this.#roots.add(ref);
  }

  addDependencies(ref: string, on: string[]): void {
    const known = this.#dependsOn.get(ref);
    if (known) addAll(known, on);
    else this.#dependsOn.set(ref, [...on]);
  }

  find(ref: string): ReportedDependency | undefined {
    return this.#components.get(ref);
  }

  isRoot(ref: string): boolean {
    return this.#roots.has(ref);
  }

  /** Marks direct and transitive dependencies; call once, when all components are known. */
  resolveTransitivity(): void {
    const direct = new Set([...this.#roots].flatMap((root) => this.#dependsOn.get(root) ?? []));
    const reached = new Set([...this.#dependsOn.values()].flat());
    for (const [ref, dependency] of this.#components) {
      if (direct.has(ref)) dependency.transitivity = 'direct';
      else if (direct.size > 0 && reached.has(ref)) dependency.transitivity = 'transitive';
    }
  }

  *dependencies(): Iterable<ReportItem> {
    for (const [ref, dependency] of this.#components) {
      if (!this.isRoot(ref)) yield { kind: 'dependency', ...dependency };
    }
  }
}

interface DependencyDescription {
  purl: string | undefined;
  /** Used if there is no package URL. */
  name: string | undefined;
  version: string | undefined;
  path: string;
  licenses?: string[] | undefined;
  resolvedUrl?: string | undefined;
}

/** A dependency by its package URL, otherwise by name. */
export function dependencyOf(description: DependencyDescription): ReportedDependency | undefined {
  const purl = description.purl === undefined ? undefined : parsePurl(description.purl);
  const identified = purl ? packageOf(purl) : { ecosystem: '', package: description.name ?? '', version: '' };
  if (identified.package === '') return undefined;
  return withoutUndefined({
    ...identified,
    version: identified.version || (description.version ?? ''),
    transitivity: 'unknown' as ReportedDependency['transitivity'],
    path: description.path,
    licenses: description.licenses,
    resolvedUrl: description.resolvedUrl,
    purl: purl ? description.purl : undefined,
  });
}
