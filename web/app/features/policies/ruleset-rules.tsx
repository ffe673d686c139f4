import { useQuery } from '@tanstack/react-query';
import type { BoardProduct } from './board-changes.ts';
import { rulesetQuery } from './queries.ts';

/** The rules of a ruleset that a ruleboard of the product runs. */
export function RulesetRules({ id, product }: { id: string; product: BoardProduct }) {
  const ruleset = useQuery(rulesetQuery(id));
  if (ruleset.isPending) return null;
  const rules = (ruleset.data ?? []).filter((rule) => (rule.product === 'secrets') === (product === 'secrets'));
  if (rules.length === 0) return <span className="board-tag">no rules on this server</span>;
  return (
    <details className="board-ruleset">
      <summary>{rules.length === 1 ? '1 rule' : `${rules.length} rules`}</summary>
      <ul>
        {rules.map((rule) => (
          <li key={rule.id}>
            <code>{rule.id}</code>
          </li>
        ))}
      </ul>
    </details>
  );
}
