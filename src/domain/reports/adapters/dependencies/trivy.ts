import type { JsonPart } from '../../json/json-scanner.ts';
import { type LooseObject, object, objects, text } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { ecosystemOf, packageOfPurl } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { codeResult, componentResult, firstWord, inside, secretResult } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

/** The result being read: its name and kind precede its lists. */
interface TrivyTarget {
  name: string;
  type: string;
  isPackagesOfSystem: boolean;
}

const LISTS = ['Vulnerabilities', 'Misconfigurations', 'Secrets'];
const ROOTS = ['Results[]', 'Resources[].Results[]'];

/** An image without its tag or digest, which change with every build. */
const imageOf = (name: string) => name.replace(/@sha256:.*$/, '').replace(/:[^/:]*$/, '');

export const trivy: ReportFormatDefinition = {
  tool: 'Trivy',
  writtenBy: '`trivy … --format json` of an image, file system, repository, cluster or configuration',
  version: '0.58',
  fixture: 'written',
  reads: 'vulnerabilities, misconfigurations that failed, secrets',
  results: ['component', 'code', 'secret'],
  signs: [
    ['SchemaVersion', 'ArtifactName'],
    ['ArtifactName', 'Results[].Target'],
    ['ClusterName', 'Resources[]'],
  ],
  reader: {
    json: () => {
      let target: TrivyTarget = { name: '', type: '', isPackagesOfSystem: false };
      return {
        required: ['ArtifactName', 'ClusterName', 'Results$', 'Resources$'],
        paths: ROOTS.flatMap((root) => [
          ...['Target', 'Type', 'Class'].map((name) => `${root}.${name}`),
          ...LISTS.map((name) => `${root}.${name}[]`),
        ]),
        *take({ path, value }: JsonPart): Iterable<ReportItem> {
          const member = path.replace(/^.*Results\[\]\./, '');
          if (member === 'Target') target = { name: text(value) ?? '', type: '', isPackagesOfSystem: false };
          else if (member === 'Type') target.type = text(value) ?? '';
          else if (member === 'Class') target.isPackagesOfSystem = value === 'os-pkgs';
          else if (member === 'Vulnerabilities[]') yield vulnerabilityOf(object(value), target);
          else if (member === 'Misconfigurations[]') yield* misconfigurationOf(object(value), target);
          else if (member === 'Secrets[]') yield secretOf(object(value), target);
        },
      };
    },
  },
};

function vulnerabilityOf(value: LooseObject, { name, type, isPackagesOfSystem }: TrivyTarget): ReportItem {
  const found = packageOfPurl(inside(value, 'PkgIdentifier', 'PURL'));
  return componentResult({
    advisories: [value['VulnerabilityID'], ...[value['VendorIDs']].flat()],
    package: found?.package ?? value['PkgName'],
    version: value['InstalledVersion'],
    ecosystem: found?.ecosystem ?? ecosystemOf(type),
    // The packages of an image have no manifest, and its name ends with the version of its system.
    file: firstWord(value['PkgPath']) ?? (isPackagesOfSystem ? imageOf(name.replace(/ \([^()]*\)$/, '')) : name),
    title: value['Title'],
    message: firstWord(value['Description'], value['Title']),
    severity: severityOf(value['Severity']),
    cwes: value['CweIDs'],
    references: [value['PrimaryURL'], ...[value['References']].flat()],
    fixVersions: text(value['FixedVersion'])?.split(/,\s*/),
  });
}

function* misconfigurationOf(value: LooseObject, { name }: TrivyTarget): Iterable<ReportItem> {
  if (value['Status'] !== undefined && value['Status'] !== 'FAIL') return;
  const cause = object(value['CauseMetadata']);
  const lines = objects(inside(cause, 'Code', 'Lines')).filter((line) => line['IsCause'] === true);
  yield codeResult({
    rule: firstWord(value['ID'], value['AVDID']),
    file: name,
    line: cause['StartLine'],
    endLine: cause['EndLine'],
    title: value['Title'],
    message: firstWord(value['Message'], value['Description']),
    severity: severityOf(value['Severity']),
    category: 'infrastructure',
    references: [value['PrimaryURL'], ...[value['References']].flat()],
    code: lines.flatMap((line) => text(line['Content']) ?? []).join('\n'),
    scope: cause['Resource'],
  });
}

const secretOf = (value: LooseObject, { name }: TrivyTarget): ReportItem =>
  secretResult({
    rule: value['RuleID'],
    file: name,
    line: value['StartLine'],
    endLine: value['EndLine'],
    title: value['Title'],
    severity: severityOf(value['Severity']),
    code: value['Match'],
  });
