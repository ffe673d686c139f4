import { Enums, Models, Serialize, SPDX, Spec, Types } from '@cyclonedx/cyclonedx-library';
import { purlOf, splitName } from '#domain/reports/identity/package-url.ts';
import type { SbomComponentType, SbomSupplier, SbomVersion } from './shape.ts';
import { XmlSerializer } from './xml-serializer.ts';

/** A package in one version, wherever the project names it. */
export interface SbomPackage {
  ecosystem: string;
  name: string;
  version: string;
  purl?: string;
  isDirect: boolean;
  licenses: readonly string[];
  /** The files that name it. */
  paths: readonly string[];
}

export interface SbomVulnerability {
  advisory: string;
  ecosystem: string;
  name: string;
  version: string;
  /** From 0 for information to 4 for critical. */
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
  /** The two members that differ between two bills of the same. */
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

/** A type that the version of the format does not know yet is an application. */
function typeOf(type: SbomComponentType, spec: typeof Spec.Spec1dot4): Enums.ComponentType {
  const name = type.slice(FAMILY.length).toLowerCase().replaceAll('_', '-') as Enums.ComponentType;
  return spec.supportsComponentType(name) ? name : Enums.ComponentType.Application;
}

const EXPRESSION = /^\(?[\w.+-]+\)?(?: (?:AND|OR|WITH) \(?[\w.+-]+\)?)+$/;

/** An expression stands alone, as the format wants it; what SPDX does not know keeps its name. */
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

function componentOf(one: SbomPackage): Models.Component {
  const purl = one.purl ?? purlOf(one);
  const { group, name } = splitName(one.ecosystem, one.name);
  return new Models.Component(Enums.ComponentType.Library, name, {
    bomRef: purl,
    ...(group === '' ? {} : { group }),
    version: one.version,
    purl,
    licenses: licensesOf(one.licenses),
    properties: new Models.PropertyRepository(
      one.paths.map((path) => new Models.Property('parapet:dependency:path', path)),
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

function modelOf(bill: SbomDocument, spec: typeof Spec.Spec1dot4): Models.Bom {
  const components = bill.components.map((one) => ({ one, model: componentOf(one) }));
  const refs = new Map(components.map(({ one, model }) => [keyOf(one), model.bomRef]));
  const root = new Models.Component(typeOf(bill.type, spec), bill.project, {
    bomRef: ROOT,
    version: bill.ref,
  });
  for (const { one, model } of components) if (one.isDirect) root.dependencies.add(model.bomRef);
  const tool = new Models.Tool({ vendor: 'Parapet', name: 'parapet', version: bill.toolVersion });
  const byAdvisory = Map.groupBy(bill.vulnerabilities, ({ advisory }) => advisory);
  return new Models.Bom({
    version: 1,
    serialNumber: `urn:uuid:${bill.serial}`,
    metadata: new Models.Metadata({
      timestamp: bill.at,
      tools: new Models.Tools({ tools: new Models.ToolRepository([tool]) }),
      component: root,
      ...(bill.supplier ? { supplier: supplierOf(bill.supplier) } : {}),
    }),
    components: new Models.ComponentRepository(components.map(({ model }) => model)),
    vulnerabilities: new Models.Vulnerability.VulnerabilityRepository(
      [...byAdvisory.values()].map((findings) => vulnerabilityOf(findings, refs)),
    ),
  });
}

/** A CycloneDX bill of materials as text: the same but for serial number and time, whenever it is written. */
export function serializeSbom(bill: SbomDocument, { version, encoding }: SbomFormat): string {
  const spec = SPECS[version];
  const serializer =
    encoding === 'json'
      ? new Serialize.JsonSerializer(new Serialize.JSON.Normalize.Factory(spec))
      : new XmlSerializer(new Serialize.XML.Normalize.Factory(spec));
  return serializer.serialize(modelOf(bill, spec), { sortLists: true });
}
