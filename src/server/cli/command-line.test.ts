import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Commands, parseCommandLine } from './command-line.ts';

const COMMANDS: Commands = {
  serve: { summary: 'Start the server.', run: async () => undefined },
  demo: {
    summary: 'Load the demo.',
    details: ['Takes a while.'],
    options: {
      size: { type: 'string', value: 'SIZE', choices: ['small', 'team'], help: 'How much data.' },
      clear: { type: 'boolean', help: 'Remove it.' },
    },
    run: async () => undefined,
  },
};

const parse = (...args: string[]) => parseCommandLine(args, COMMANDS);
const textOf = (...args: string[]) => {
  const line = parse(...args);
  return 'text' in line ? [line.kind, line.text] : [line.kind];
};

describe('a command line', () => {
  test('names a command and its options', () => {
    const line = parse('demo', '--size', 'team', '--clear');
    assert.equal(line.kind, 'run');
    if (line.kind !== 'run') return;
    assert.equal(line.command, COMMANDS['demo']);
    assert.deepEqual({ ...line.values }, { size: 'team', clear: true });
  });

  test('without a command prints the help', () => {
    const [kind, text = ''] = textOf();
    assert.equal(kind, 'print');
    assert.match(text, /^ {2}serve {2}Start the server\.$/m);
    assert.match(text, /^ {2}demo {3}Load the demo\.$/m);
    assert.deepEqual(textOf('--help'), [kind, text]);
    assert.deepEqual(textOf('-h'), [kind, text]);
  });

  test('prints the help of a command', () => {
    const [kind, text = ''] = textOf('demo', '--help');
    assert.equal(kind, 'print');
    assert.match(text, /^Load the demo\.\n\nUsage: parapet demo \[OPTION\]\.\.\.\n\nTakes a while\.\n/);
    assert.match(text, /^ {2}--size SIZE {2}How much data\.$/m);
    assert.deepEqual(textOf('help', 'demo'), [kind, text]);
    assert.deepEqual(textOf('demo', '-h'), [kind, text]);
  });

  test('asks for the version', () => {
    for (const args of [['--version'], ['demo', '--version']]) assert.equal(parse(...args).kind, 'version');
  });

  test('with a mistake is a usage error that suggests the closest name', () => {
    const mistakes: [args: string[], problem: RegExp][] = [
      [['serv'], /^parapet: Unknown command "serv"\.\nDid you mean "serve"\? See "parapet --help"\.\n$/],
      [['frobnicate'], /^parapet: Unknown command "frobnicate"\.\nSee "parapet --help"\.\n$/],
      [['--hlp'], /Unknown option "--hlp"\.\nDid you mean "--help"\?/],
      [['demo', '--sise=team'], /Unknown option "--sise=team"\.\nDid you mean "--size"\? See "parapet demo --help"\./],
      [['demo', '--size', 'tea'], /--size must be small, team; it is "tea"\.\nDid you mean "team"\?/],
      [['demo', '--size'], /--size/],
      [['serve', 'now'], /positional/],
      [['toString'], /Unknown command "toString"/],
    ];
    for (const [args, problem] of mistakes) {
      const [kind, text = ''] = textOf(...args);
      assert.equal(kind, 'usage-error', args.join(' '));
      assert.match(text, problem);
    }
  });
});
