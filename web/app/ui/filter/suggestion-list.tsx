import { formatNumber } from '#web/foundation/format/format-number.ts';
import type { FilterSuggestion } from './suggestions.ts';

interface OfferListProps {
  id: string;
  offers: readonly FilterSuggestion[];
  active: number;
  onTake: (offer: FilterSuggestion) => void;
}

/** What can stand at the cursor, with how many findings each would leave. */
export function SuggestionList({ id, offers, active, onTake }: OfferListProps) {
  return (
    <div className="filter-offers" id={id} role="listbox" aria-label="What can stand here" hidden={offers.length === 0}>
      {offers.map((offer, index) => (
        <div
          key={offer.insertText}
          id={`${id}-${index}`}
          className="filter-offer"
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          // The field keeps the focus while somebody chooses with the mouse.
          onMouseDown={(event) => {
            event.preventDefault();
            onTake(offer);
          }}
        >
          <code>{offer.label}</code>
          <span className="filter-offer-help dimmed">{offer.help}</span>
          {offer.count !== undefined && <span className="filter-offer-count">{formatNumber(offer.count)}</span>}
        </div>
      ))}
    </div>
  );
}
