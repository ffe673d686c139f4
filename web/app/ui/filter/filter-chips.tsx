import { X } from 'lucide-react';
import type { Query } from '#domain/query/ast.ts';
import { withoutTerm } from '#domain/query/edit-query.ts';
import { formatTerm } from '#domain/query/format-term.ts';

interface FilterChipsProps {
  query: Query;
  onCommit: (query: Query) => void;
}

/** The terms of the filter as chips with remove buttons. */
export function FilterChips({ query, onCommit }: FilterChipsProps) {
  if (query.terms.length === 0) return null;
  return (
    <ul className="filter-chips" aria-label="Filter terms">
      {query.terms.map((term) => {
        const text = formatTerm(term);
        return (
          <li key={text}>
            <button
              type="button"
              className="filter-chip"
              aria-label={`Remove ${text}`}
              onClick={() => onCommit(withoutTerm(query, term))}
            >
              <code>{text}</code>
              <X size={12} aria-hidden="true" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
