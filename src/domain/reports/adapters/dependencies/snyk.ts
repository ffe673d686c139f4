import { type LooseObject, list, object, objects, text, texts } from '../../json/loose-values.ts';
import type { ReportItem } from '../../report-items.ts';
import { ecosystemOf } from '../ecosystems.ts';
import type { ReportFormatDefinition } from '../format-definition.ts';
import { componentResult, firstWord, inside } from '../result-items.ts';
import { severityOf } from '../taxonomy.ts';

const MEMBERS = ['packageManager', 'displayTargetFile', 'projectName', 'path'];
const FLAWS = ['vulnerabilities[]', '[].vulnerabilities[]'];

/** An image of Snyk Container without its tag. */
const targetOf = (project: LooseObject) =>
  text(project['displayTargetFile']) ??
  text(project['projectName'])
    ?.replace(/^docker-image\|/, '')
    .replace(/:[^/:]*$/, '');

export const snyk: ReportFormatDefinition = {
  tool: 'Snyk',
  writtenBy: '`snyk test --json`, `snyk container test --json`; `snyk code test --json` is `sarif`',
  version: '1.1295',
  fixture: 'written',
  reads: 'vulnerabilities of one or several projects, the chain of dependencies, fixes',
  results: ['component'],
  signs: [
    ['vulnerabilities[]', 'dependencyCount', 'packageManager'],
    ['vulnerabilities[].packageName', 'vulnerabilities[].from'],
    ['[].vulnerabilities[]', '[].dependencyCount'],
    ['[].vulnerabilities[].packageName', '[].vulnerabilities[].from'],
  ],
  reader: {
    json: () => {
      // What names the project follows its vulnerabilities.
      let flaws: LooseObject[] = [];
      let project: LooseObject = {};
      return {
        required: ['vulnerabilities$', '[].vulnerabilities$'],
        paths: [...FLAWS, ...MEMBERS, ...MEMBERS.map((name) => `[].${name}`), '[]$'],
        *take({ path, value }): Iterable<ReportItem> {
          if (FLAWS.includes(path)) flaws.push(factsOf(object(value)));
          else if (path === '[]$') {
            yield* flaws.map((flaw) => flawOf(flaw, project));
            flaws = [];
            project = {};
          } else project[path.replace('[].', '')] = value;
        },
        *finish(): Iterable<ReportItem> {
          yield* flaws.map((flaw) => flawOf(flaw, project));
        },
      };
    },
  },
};

/** Only what is used, because all flaws of a project are held. */
const factsOf = ({ description: _, semver: __, functions: ___, ...facts }: LooseObject): LooseObject => facts;

function flawOf(flaw: LooseObject, project: LooseObject): ReportItem {
  const chain = list(flaw['from']);
  return componentResult({
    advisories: [
      ...texts(inside(flaw, 'identifiers', 'CVE')),
      ...texts(inside(flaw, 'identifiers', 'GHSA')),
      flaw['id'],
    ],
    package: firstWord(flaw['packageName'], flaw['moduleName'], flaw['name']),
    version: flaw['version'],
    ecosystem: ecosystemOf(firstWord(flaw['packageManager'], project['packageManager'])),
    file: targetOf(project),
    title: flaw['title'],
    severity: severityOf(firstWord(flaw['severityWithCritical'], flaw['severity'])),
    cwes: inside(flaw, 'identifiers', 'CWE'),
    references: objects(flaw['references']).map((entry) => entry['url']),
    transitivity: chain.length === 0 ? 'unknown' : chain.length <= 2 ? 'direct' : 'transitive',
    fixVersions: firstWord(flaw['nearestFixedInVersion']) ?? flaw['fixedIn'],
  });
}
