import { Enums, Models, Serialize, SPDX, Spec, Types } from '@cyclonedx/cyclonedx-library';
import { purlOf, splitName } from '#domain/reports/identity/package-url.ts';
import type { SbomComponentType, SbomSupplier, SbomVersion } from './shape.ts';
import { XmlSerializer } from './xml-serializer.ts';

/** A package in one version. */
export interface SbomPackage {
  ecosystem: string;
  name: string;
  version: string;
  purl?: string;
  isDirect: boolean;
  licenses: readonly string[];
  /** The lockfiles and manifests that contain it. */
  paths: readonly string[];
}

export interface SbomVulnerability {
  advisory: string;
  ecosystem: string;
  name: string;
  version: string;
  /** From 0 (info) to 4 (critical). */
  severity: number;
  cwes: readonly string[];
  title: string;
}

export interface SbomDocument {
  project: string;
  ref: string;
  type: SbomComponentType;
  supplier?: SbomSupplier;
  components: readonly SbomPackage[];
  vulnerabilities: readonly SbomVulnerability[];
  /** Only `serial` and `at` differ between two SBOMs with the same content. */
  serial: string;
  at: Date;
  toolVersion: string;
}

export interface SbomFormat {
  version: SbomVersion;
  encoding: 'json' | 'xml';
}

const SPECS: Record<SbomVersion, typeof Spec.Spec1dot4> = {
  SBOM_CYCLONE_DX_VERSION_V1_4: Spec.Spec1dot4,
  SBOM_CYCLONE_DX_VERSION_V1_5: Spec.Spec1dot5,
  SBOM_CYCLONE_DX_VERSION_V1_6: Spec.Spec1dot6,
  SBOM_CYCLONE_DX_VERSION_V1_7: Spec.Spec1dot7,
};
const FAMILY = 'SBOM_METADATA_COMPONENT_TYPE_CYCLONE_DX_V15_';
const ROOT = 'project';

const keyOf = ({ ecosystem, name, version }: Pick<SbomPackage, 'ecosystem' | 'name' | 'version'>) =>
  JSON.stringify([ecosystem, name, version]);

/** A type that this version of the format does not support becomes an application. */
function typeOf(type: SbomComponentType, spec: typeof Spec.Spec1dot4): Enums.ComponentType {
  const name = type.slice(FAMILY.length).toLowerCase().replaceAll('_', '-') as Enums.ComponentType;
  return spec.supportsComponentType(name) ? name : Enums.ComponentType.Application;
}

const EXPRESSION = /^\(?[\w.+-]+\)?(?: (?:AND|OR|WITH) \(?[\w.+-]+\)?)+$/;

/** The format allows an expression only by itself; licenses that SPDX does not know are given by name. */
function licensesOf(texts: readonly string[]): Models.LicenseRepository {
  const [only] = texts;
  if (only !== undefined && texts.length === 1 && EXPRESSION.test(only))
    return new Models.LicenseRepository([new Models.LicenseExpression(only)]);
  return new Models.LicenseRepository(
    [...new Set(texts.filter(Boolean))].map((text) => {
      const id = SPDX.fixupSpdxId(text);
      return id === undefined ? new Models.NamedLicense(text) : new Models.SpdxLicense(id);
    }),
  );
}

function componentOf(component: SbomPackage): Models.Component {
  const purl = component.purl ?? purlOf(component);
  const { group, name } = splitName(component.ecosystem, component.name);
  return new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: purl,
    ...(group === '' ? {} : { group }),
    version: component.version,
    purl,
    licenses: licensesOf(component.licenses),
    properties: new Models.PropertyRepository(
      component.paths.map((path) => new Models.Property('parapet:dependency:path', path)),
    ),
  });
}

function supplierOf({ name, url, contact }: SbomSupplier): Models.OrganizationalEntity {
  return new Models.OrganizationalEntity({
    ...(name ? { name } : {}),
    url: new Set(url ? [url] : []),
    contact: new Models.OrganizationalContactRepository(
      contact ? [new Models.OrganizationalContact(contact as Models.OptionalOrganizationalContactProperties)] : [],
    ),
  });
}

const SEVERITIES = ['info', 'low', 'medium', 'high', 'critical'] as const;

function vulnerabilityOf(
  findings: readonly SbomVulnerability[],
  refs: ReadonlyMap<string, Models.BomRef>,
): Models.Vulnerability.Vulnerability {
  const { Affect, AffectRepository, Rating, RatingRepository, Vulnerability } = Models.Vulnerability;
  const worst = Math.max(...findings.map(({ severity }) => severity));
  const cwes = findings.flatMap(({ cwes: texts }) => texts.map((text) => Number(/^CWE-(\d{1,6})/i.exec(text)?.[1])));
  const affected = new Set(findings.flatMap((finding) => refs.get(keyOf(finding)) ?? []));
  const [first] = findings;
  return new Vulnerability({
    bomRef: `vulnerability:${first?.advisory}`,
    id: first?.advisory ?? '',
    ratings: new RatingRepository([
      new Rating({ severity: (SEVERITIES[worst] ?? 'unknown') as Enums.Vulnerability.Severity }),
    ]),
    cwes: new Types.CweRepository(cwes.filter((cwe) => cwe > 0)),
    description: first?.title ?? '',
    affects: new AffectRepository([...affected].map((ref) => new Affect(ref))),
  });
}

function modelOf(sbom: SbomDocument, spec: typeof Spec.Spec1dot4): Models.Bom {
  const components = sbom.components.map((component) => ({ component, model: componentOf(component) }));
  const refs = new Map(components.map(({ component, model }) => [keyOf(component), model.bomRef]));
  const root = new Models.Component(typeOf(sbom.type, spec), sbom.project, {
    bomRef: ROOT,
    version: sbom.ref,
  });
  for (const { component, model } of components) if (component.isDirect) root.dependencies.add(model.bomRef);
  const tool = new Models.Tool({ vendor: 'Parapet', name: 'parapet', version: sbom.toolVersion });
  const byAdvisory = Map.groupBy(sbom.vulnerabilities, ({ advisory }) => advisory);
  return new Models.Bom({
    version: 1,
    serialNumber: `urn:uuid:${sbom.serial}`,
    metadata: new Models.Metadata({
      timestamp: sbom.at,
      tools: new Models.Tools({ tools: new Models.ToolRepository([tool]) }),
      component: root,
      ...(sbom.supplier ? { supplier: supplierOf(sbom.supplier) } : {}),
    }),
    components: new Models.ComponentRepository(components.map(({ model }) => model)),
    vulnerabilities: new Models.Vulnerability.VulnerabilityRepository(
      [...byAdvisory.values()].map((findings) => vulnerabilityOf(findings, refs)),
    ),
  });
}

/** Serializes a CycloneDX SBOM; the text is deterministic except for serial number and time. */
export function serializeSbom(sbom: SbomDocument, { version, encoding }: SbomFormat): string {
  const spec = SPECS[version];
  const serializer =
    encoding === 'json'
      ? new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec))
      : new XmlSerializer(new Serialize.XML.Normalize.Factory(spec));
  return serializer.serialize(modelOf(sbom, spec), { sortLists: true });
}
