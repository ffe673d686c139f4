const RULES = 200;

const rules = Array.from({ length: RULES }, (_, index) => ({
  id: `rule-${index}`,
  shortDescription: { text: `Rule number ${index}` },
  defaultConfiguration: { level: index % 3 === 0 ? 'error' : 'warning' },
  properties: { tags: ['security', `CWE-${index + 1}`], precision: 'high' },
}));

function result(index: number): string {
  const uri = `src/module-${index % 977}/file-${index % 31}.ts`;
  const startLine = (index % 5000) + 1;
  return JSON.stringify({
    ruleId: `rule-${index % RULES}`,
    ruleIndex: index % RULES,
    level: 'warning',
    message: { text: `User input "q${index}" reaches a sink without being checked; see the trace. Größe: ${index}` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri, uriBaseId: '%SRCROOT%' },
          region: {
            startLine,
            startColumn: 5,
            endLine: startLine,
            endColumn: 40,
            snippet: { text: `  run(query[${index}]);` },
          },
          contextRegion: {
            startLine,
            endLine: startLine + 2,
            snippet: { text: `function f() {\n  run(query[${index}]);\n}` },
          },
        },
      },
    ],
    partialFingerprints: { primaryLocationLineHash: `${(index * 2654435761).toString(16).padStart(16, '0')}:1` },
    codeFlows: [
      {
        threadFlows: [
          {
            locations: [1, 2, 3].map((step) => ({
              location: {
                physicalLocation: { artifactLocation: { uri }, region: { startLine: startLine + step } },
                message: { text: `step ${step}` },
              },
            })),
          },
        ],
      },
    ],
  });
}

const PIECE_BYTES = 64 * 2 ** 10;
const PIECES = 64;

/** Results in chunks, each starting with a comma; generated once, so that generating them is not measured. */
function pieces(): Buffer[] {
  let index = 0;
  return Array.from({ length: PIECES }, () => {
    let piece = '';
    while (piece.length < PIECE_BYTES) piece += `,${result(index++)}`;
    return Buffer.from(piece);
  });
}

const HEAD = `{"version":"2.1.0","runs":[{"tool":{"driver":${JSON.stringify({ name: 'bench', rules })}},"results":[`;

/** A SARIF report of this many distinct results, in chunks that are generated before they are sent. */
export function sarifPieces(results: number): Buffer[] {
  const made: Buffer[] = [];
  let piece = HEAD;
  for (let index = 0; index < results; index++) {
    piece += (index === 0 ? '' : ',') + result(index);
    if (piece.length < PIECE_BYTES) continue;
    made.push(Buffer.from(piece));
    piece = '';
  }
  return [...made, Buffer.from(`${piece}]}]}`)];
}

/** A SARIF report of about this many bytes that is never in memory as a whole. */
export async function* sarifStream(bytes: number): AsyncGenerator<Buffer> {
  yield Buffer.from(HEAD + result(0));
  const all = pieces();
  for (let made = 0, next = 0; made < bytes; next++) {
    const piece = all[next % PIECES] ?? Buffer.alloc(0);
    made += piece.length;
    yield piece;
  }
  yield Buffer.from(']}]}');
}
