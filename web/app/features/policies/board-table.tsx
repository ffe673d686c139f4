import { Button, Tooltip } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { memo, useState } from 'react';
import { formatNumber } from '#web/foundation/format/format-number.ts';
import { MODE_LABELS } from '#web/foundation/format/labels.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { FindingsLink } from '#web/ui/filter/findings-link.tsx';
import {
  type BoardItem,
  type BoardLine,
  type BoardProduct,
  itemKey,
  MODE_DESCRIPTIONS,
  RULE_MODES,
  type RuleMode,
} from './board-changes.ts';
import { openFindingsByRuleQuery } from './queries.ts';
import { RulesetRules } from './ruleset-rules.tsx';

interface BoardTableProps {
  product: BoardProduct;
  lines: readonly BoardLine[];
  isReadOnly: boolean;
  onPut: (items: readonly BoardItem[], mode: RuleMode | undefined) => void;
}

const PAGE_SIZE = 200;

/** A table of rules with one radio button per column. */
export function BoardTable({ product, lines, isReadOnly, onPut }: BoardTableProps) {
  const open = useQuery(openFindingsByRuleQuery(useOrg().id)).data;
  const [limit, setLimit] = useState(PAGE_SIZE);
  return (
    <section className="board-scroll" tabIndex={0} aria-label="Rules">
      <table className="board-table board-rules">
        <thead>
          <tr>
            <th scope="col">Rule</th>
            <th scope="col" className="number">
              <Tooltip label="Open findings of the rule in all projects.">
                <span tabIndex={0}>Open</span>
              </Tooltip>
            </th>
            {RULE_MODES.map((mode) => (
              <th key={mode} scope="col" className="board-mode">
                <Tooltip label={MODE_DESCRIPTIONS[mode]}>
                  <span tabIndex={0}>{MODE_LABELS[mode]}</span>
                </Tooltip>
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.slice(0, limit).map((line) => (
            <RuleRow
              key={itemKey(line)}
              product={product}
              line={line}
              open={open?.get(line.id)}
              isReadOnly={isReadOnly}
              onPut={onPut}
            />
          ))}
        </tbody>
      </table>
      {lines.length > limit && (
        <Button variant="subtle" onClick={() => setLimit(limit + PAGE_SIZE)}>
          Show {Math.min(PAGE_SIZE, lines.length - limit)} more of {lines.length}
        </Button>
      )}
    </section>
  );
}

interface RuleRowProps {
  product: BoardProduct;
  line: BoardLine;
  open: { count: number; q: string } | undefined;
  isReadOnly: boolean;
  onPut: BoardTableProps['onPut'];
}

const stateOf = ({ before, after }: BoardLine) =>
  before === after ? undefined : after === undefined ? 'removed' : before === undefined ? 'added' : 'moved';

const RuleRow = memo(
  function RuleRow({ product, line, open, isReadOnly, onPut }: RuleRowProps) {
    const change = stateOf(line);
    return (
      <tr data-change={change}>
        <th scope="row">
          <code>{line.id}</code>
          {line.type !== 'rule' && <span className="board-tag">{line.type}</span>}
          {change !== undefined && <span className="board-tag board-row-change">{change}</span>}
          {line.type === 'ruleset' && <RulesetRules id={line.id} product={product} />}
        </th>
        <td className="number">{open && <FindingsLink q={open.q}>{formatNumber(open.count)}</FindingsLink>}</td>
        {RULE_MODES.map((mode) => (
          <td key={mode} className="board-mode">
            <label>
              <input
                type="radio"
                name={itemKey(line)}
                aria-label={`${line.id}: ${MODE_LABELS[mode]}`}
                checked={line.after === mode}
                disabled={isReadOnly}
                onChange={() => onPut([line], mode)}
              />
            </label>
          </td>
        ))}
        <td>
          {!isReadOnly && (
            <Button
              size="compact-xs"
              variant="subtle"
              color="gray"
              aria-label={`${line.after === undefined ? 'Keep' : 'Remove'} ${line.id}`}
              onClick={() => onPut([line], line.after === undefined ? line.before : undefined)}
            >
              {line.after === undefined ? 'Keep' : 'Remove'}
            </Button>
          )}
        </td>
      </tr>
    );
  },
  (before, after) =>
    before.product === after.product &&
    before.line.id === after.line.id &&
    before.line.before === after.line.before &&
    before.line.after === after.line.after &&
    before.open === after.open &&
    before.isReadOnly === after.isReadOnly &&
    before.onPut === after.onPut,
);
