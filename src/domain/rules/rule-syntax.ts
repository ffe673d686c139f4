/** The severities and languages that a published rule may use. */
export const RULE_SEVERITIES = [
  'ERROR',
  'WARNING',
  'INFO',
  'CRITICAL',
  'HIGH',
  'MEDIUM',
  'LOW',
  'INVENTORY',
  'EXPERIMENT',
] as const;

export const RULE_LANGUAGES: ReadonlySet<string> = new Set(
  (
    'apex bash sh c cairo circom clojure cpp c++ csharp c# dart dockerfile docker elixir ex generic go golang hack ' +
    'html java javascript js json jsonnet julia kotlin kt lisp lua move_on_aptos move_on_sui none ocaml php promql ' +
    'proto protobuf proto3 python py python2 python3 ql r regex ruby rb rust scala scheme solidity sol swift ' +
    'terraform tf hcl typescript ts vue xml yaml'
  ).split(' '),
);

/** For each mode, groups of keys: a rule needs all keys of at least one group. */
export const PATTERN_KEYS_BY_MODE: Readonly<Record<string, readonly (readonly string[])[]>> = {
  search: [
    ['pattern'],
    ['patterns'],
    ['pattern-either'],
    ['pattern-regex'],
    ['match'],
    ['r2c-internal-project-depends-on'],
  ],
  taint: [['pattern-sources', 'pattern-sinks'], ['taint']],
  join: [['join']],
  extract: [['pattern'], ['patterns'], ['pattern-either'], ['pattern-regex']],
};
