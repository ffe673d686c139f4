import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { disagreementsOf, RECORDING, runEngine } from '#test/support/reports/rule-pack.ts';

/** Records the findings of the engine with our rules: `node tools/record-rules.ts [path of semgrep]`. */
const recording = runEngine(process.argv[2] ?? 'semgrep');
const disagreements = disagreementsOf(recording.results);
for (const sentence of [...disagreements, ...recording.errors.map((error) => JSON.stringify(error))])
  console.log(sentence);
if (disagreements.length + recording.errors.length > 0) process.exit(1);
const { results, ...head } = recording;
const lines = results.map((match) => JSON.stringify(match)).join(',\n');
mkdirSync(dirname(RECORDING), { recursive: true });
writeFileSync(RECORDING, `${JSON.stringify(head).slice(0, -1)},"results":[\n${lines}\n]}\n`);
console.log(`${results.length} matches of semgrep ${head.version}, as annotated.`);
