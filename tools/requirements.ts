import { globSync, readFileSync } from 'node:fs';
import { REQUIREMENT_GROUPS, REQUIREMENTS } from '../test/requirements.ts';

/** A requirement id as tests, comments and docs write it. */
const ID = /\b(?:[A-Z]{3}-\d{2}|[CFZ]\d{2}|T[0-5])\b/g;
const NAME = /^\s*(?:await )?(?:\w+\.)?(?:test|describe|it)\(\s*(['"`])((?:\\.|(?!\1).)*)\1/gm;

export interface TestReference {
  file: string;
  /** The name of the test or suite; empty where only a comment or an assertion names the id. */
  name: string;
}

const testFiles = () =>
  globSync(['src/**/*.test.ts', 'test/**/*.ts', 'web/**/*.test.ts'])
    .filter((file) => !/^test\/(fixtures|canary|requirements\.ts)/.test(file))
    .sort();

/** Every id that code and tests mention, with the files that do. */
export function requirementMentions(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of globSync(['src/**/*.{ts,sql}', 'test/**/*.ts', 'web/app/**/*.{ts,tsx}', 'tools/*.ts']).sort()) {
    if (/^test\/(fixtures|canary|requirements\.ts)|^tools\/requirements\.ts/.test(file)) continue;
    const ids = new Set([...readFileSync(file, 'utf8').matchAll(ID)].map(([id]) => id));
    for (const id of ids) found.set(id, [...(found.get(id) ?? []), file]);
  }
  return found;
}

/** Which tests name each id: by the name of a test where there is one, else by the file. */
export function testsByRequirement(): Map<string, TestReference[]> {
  const found = new Map<string, TestReference[]>();
  const add = (id: string, reference: TestReference) => {
    if (id in REQUIREMENTS) found.set(id, [...(found.get(id) ?? []), reference]);
  };
  for (const file of testFiles()) {
    const text = readFileSync(file, 'utf8');
    const named = new Set<string>();
    for (const [, , name = ''] of text.matchAll(NAME))
      for (const [id] of name.matchAll(ID)) {
        named.add(id);
        add(id, { file, name: name.replaceAll(/\s*\([^)]*\b(?:[A-Z]{3}-\d{2}|[CFZ]\d{2})[^)]*\)/g, '') });
      }
    for (const id of new Set([...text.matchAll(ID)].map(([one]) => one)))
      if (!named.has(id)) add(id, { file, name: '' });
  }
  return found;
}

const groupOf = (id: string) => /^[A-Z]{3}(?=-)|^[A-Z]/.exec(id)?.[0] ?? '';
const cell = (text: string) => text.replaceAll('|', '\\|').replaceAll('\\`', '`').replaceAll("\\'", "'");

const referenceText = ({ file, name }: TestReference) => (name === '' ? `\`${file}\`` : `${cell(name)} (\`${file}\`)`);

/** The page that a requirement id leads to. */
export function requirementsPage(note: string): string {
  const tests = testsByRequirement();
  const mentions = requirementMentions();
  const sections = Object.entries(REQUIREMENT_GROUPS).map(([group, title]) => {
    const rows = Object.entries(REQUIREMENTS)
      .filter(([id]) => groupOf(id) === group)
      .map(([id, sentence]) => {
        const references = tests.get(id)?.map(referenceText) ?? (mentions.get(id) ?? []).map((file) => `\`${file}\``);
        return `| ${id} | ${cell(sentence)} | ${references.join('<br>')} |`;
      });
    return `## ${title}\n\n| Id | Requirement | Tests |\n| --- | --- | --- |\n${rows.join('\n')}\n`;
  });
  const intro =
    'What the ids in tests, comments and decisions stand for, and the tests that name them (or the code, where no test does).';
  return `# Requirements\n\n${note}${intro}\n\n${sections.join('\n')}`;
}
