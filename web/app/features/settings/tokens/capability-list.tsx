import { Check, X } from 'lucide-react';
import { type TokenAccess, tokenCapabilities } from './token-access.ts';

/** What a token with these rights works with, and what stands in the way of the rest. */
export function CapabilityList({ rights }: { rights: TokenAccess }) {
  return (
    <div className="settings-note" role="status">
      <strong>Works with</strong>
      <ul className="token-uses">
        {tokenCapabilities(rights).map(({ what, isAllowed, why }) => (
          <li key={what}>
            <span className="settings-word" data-kind={isAllowed ? 'good' : 'bad'}>
              {isAllowed ? <Check size={16} aria-hidden="true" /> : <X size={16} aria-hidden="true" />}
              <span className="visually-hidden">{isAllowed ? 'yes: ' : 'no: '}</span>
            </span>
            {what}
            {why !== '' && <span className="dimmed"> — {why}</span>}
          </li>
        ))}
      </ul>
    </div>
  );
}
