import type { Bench, Figure } from '../figure.ts';
import { ImportBench } from '../import-bench.ts';

const SIZES = [1_000, 10_000, 100_000];
const MAX_GROWTH = 1.5;

interface ResultParts {
  rule?: string;
  path?: string;
  line?: number;
  code?: string;
  context?: string;
  scope?: string;
  fingerprint?: string;
}

/** The results of one report: the index of a result, the number of the report in its project, and all results. */
type Shape = (index: number, round: number, size: number) => ResultParts;

/** Reports that are the worst for one of the joins of ingest and tracking. */
const SHAPES: Record<string, Shape> = {
  'two tools in one file': (index) => ({ path: 'a.js', line: index + 1, code: `f${index}()` }),
  'two tools on one line': (index) => ({ path: 'a.js', code: `f${index}()` }),
  'two tools in as many files': (index) => ({ path: `src/${index}.js`, code: `f${index}()` }),
  'one code, new surroundings': (index, round) => ({ path: 'a.js', line: index + 1, context: `${index} ${round}` }),
  'one code, in groups of 50': (index, round) => ({
    path: `src/${index % 50}.js`,
    code: `f${Math.floor(index / 2500)}()`,
    line: index + 1,
    context: `call ${index} of ${round}`,
  }),
  'one fingerprint, all files renamed': (index, round) => ({ path: `v${round}/${index}.js`, fingerprint: 'same' }),
  'one scope, all code edited': (index, round) => ({
    path: 'a.js',
    line: index + 1,
    scope: 'app.main',
    code: `const value${index} = compute(${round}, ${round}${index});`,
  }),
  'one secret': (index, round) => ({
    rule: 'secrets.token',
    path: `v${round}/${index}.js`,
    code: 'key = "ghp_0123456789abcdef0123456789abcdef0123"',
  }),
};

function resultOf({ rule = 'injection', path = 'a.js', line = 1, code = 'f()', ...more }: ResultParts): string {
  return JSON.stringify({
    ruleId: rule,
    message: { text: 'Found' },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: path },
          region: { startLine: line, snippet: { text: code } },
          ...(more.context !== undefined && { contextRegion: { startLine: line, snippet: { text: more.context } } }),
        },
        ...(more.scope !== undefined && { logicalLocations: [{ fullyQualifiedName: more.scope }] }),
      },
    ],
    ...(more.fingerprint !== undefined && { partialFingerprints: { hash: more.fingerprint } }),
  });
}

function* reportOf(shape: Shape, { round, size, tool }: { round: number; size: number; tool: string }) {
  const rules = ['injection', 'secrets.token'].map((id) => ({ id, properties: { tags: ['external/cwe/cwe-79'] } }));
  yield Buffer.from(
    `{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"${tool}","rules":${JSON.stringify(rules)}}},"results":[`,
  );
  for (let index = 0; index < size; index++)
    yield Buffer.from((index === 0 ? '' : ',') + resultOf(shape(index, round, size)));
  yield Buffer.from(']}]}');
}

/** The time per result of the second report of a project, in microseconds. */
async function measure(bench: ImportBench, name: string, size: number): Promise<number> {
  const shape = SHAPES[name] as Shape;
  const project = `${name} ${size}`;
  const toolOf = (round: number) => (name.startsWith('two tools') ? `tool-${round}` : 'tool');
  const send = (round: number) =>
    bench.send(reportOf(shape, { round, size, tool: toolOf(round) }), { project, commit: String(round).repeat(40) });
  await send(1);
  const { seconds } = await bench.timed(() => send(2));
  return (seconds / size) * 1e6;
}

/** Reports made to be as costly as possible: the time per result must not grow with their size. */
export const benchWorstReports: Bench = async ({ scale, log }) => {
  const bench = await ImportBench.open();
  const figures: Figure[] = [];
  try {
    for (const name of Object.keys(SHAPES)) {
      let before: { size: number; value: number } | undefined;
      for (const size of SIZES.filter((size) => size <= 100_000 * scale)) {
        const value = await measure(bench, name, size);
        log(`${name}, ${size} results: ${value.toFixed(0)} µs per result`);
        if (before)
          figures.push({
            name: `${name}, ${size} results`,
            value,
            unit: 'µs',
            baseline: { name: `${before.size}`, value: before.value },
            ratio: value / before.value,
            target: { atMost: MAX_GROWTH },
          });
        before = { size, value };
      }
    }
    return figures;
  } finally {
    await bench.close();
  }
};
