import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { FilterSuggestion } from './suggestions.ts';

interface SuggestionListProps {
  id: string;
  suggestions: readonly FilterSuggestion[];
  active: number;
  onSelect: (suggestion: FilterSuggestion) => void;
}

/** The suggestions at the cursor, each with the number of matching findings. */
export function SuggestionList({ id, suggestions, active, onSelect }: SuggestionListProps) {
  return (
    <div
      className="filter-suggestions"
      id={id}
      role="listbox"
      aria-label="Suggestions"
      hidden={suggestions.length === 0}
    >
      {suggestions.map((suggestion, index) => (
        <div
          key={suggestion.insertText}
          id={`${id}-${index}`}
          className="filter-suggestion"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // Keep the focus in the input while the user picks with the mouse.
          onMouseDown={(event) => {
            event.preventDefault();
            onSelect(suggestion);
          }}
        >
          <code>{suggestion.label}</code>
          <span className="filter-suggestion-help dimmed">{suggestion.help}</span>
          {suggestion.count !== undefined && (
            <span className="filter-suggestion-count">{formatNumber(suggestion.count)}</span>
          )}
        </div>
      ))}
    </div>
  );
}
