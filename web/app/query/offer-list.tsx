import { numberText } from '#web/parts/number-text.ts';
import type { Offer } from './offers.ts';

interface OfferListProps {
  id: string;
  offers: readonly Offer[];
  active: number;
  onTake: (offer: Offer) => void;
}

/** What can stand at the cursor, with how many findings each would leave. */
export function OfferList({ id, offers, active, onTake }: OfferListProps) {
  return (
    <div className="filter-offers" id={id} role="listbox" aria-label="What can stand here" hidden={offers.length === 0}>
      {offers.map((offer, index) => (
        <div
          key={offer.written}
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
          {offer.count !== undefined && <span className="filter-offer-count">{numberText(offer.count)}</span>}
        </div>
      ))}
    </div>
  );
}
