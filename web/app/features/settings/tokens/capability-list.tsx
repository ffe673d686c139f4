import { Check, X } from 'lucide-react';
import { type TokenAccess, tokenCapabilities } from './token-access.ts';

/** Lists what a token can be used for, and why not for the rest. */
export function CapabilityList({ access }: { access: TokenAccess }) {
  return (
    <div className="settings-note" role="status">
      <strong>Works with</strong>
      <ul className="token-capabilities">
        {tokenCapabilities(access).map(({ what, isAllowed, why }) => (
          <li key={what}>
            <span className="settings-status" data-kind={isAllowed ? 'good' : 'bad'}>
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
