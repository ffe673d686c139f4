import { copyable, make, timeOf } from './dom.js';

export const tokensPath = (deployment) => `/api/tokens/v1/deployments/${encodeURIComponent(deployment.id)}/tokens`;

/** The one time that a secret is seen: with a button to copy it and a command that works. */
export function secretOf({ token, secret }) {
  const command = [
    `export PARAPET_TOKEN='${secret}'`,
    `curl -sS -H "Authorization: Bearer $PARAPET_TOKEN" ${location.origin}/api/agent/identity`,
  ].join('\n');
  return make(
    'div',
    { class: 'secret', tabindex: '-1' },
    make('p', {}, make('strong', {}, 'Copy the secret now: '), 'it cannot be shown again.'),
    copyable(make('pre', { class: 'wraps', 'aria-label': 'Secret' }, secret)),
    make('p', {}, 'Try it in a terminal:'),
    copyable(make('pre', { class: 'wraps', 'aria-label': 'Command' }, command)),
    make('p', {}, `“${token.name}” ends on `, timeOf(token.expiresAt), '.'),
  );
}

const ROLES = {
  TOKEN_ROLE_WEBAPI: 'administrator',
  TOKEN_ROLE_MEMBER: 'member',
  TOKEN_ROLE_READ_ONLY: 'read only',
  TOKEN_ROLE_AGENT_CLI: 'scanner',
};

const cell = (name, ...content) => make('td', {}, make('span', { class: 'cell-name' }, name), ...content);

/** The tokens of a deployment; `revoke` is called after the second click. */
export function tokenTable(tokens, revoke) {
  if (tokens.length === 0) return make('p', { class: 'dimmed' }, 'No tokens yet. Create the first one above.');
  const names = ['Name', 'Secret', 'May do', 'Created', 'Ends', 'Last used'];
  return make(
    'table',
    { class: 'rows tokens' },
    make(
      'thead',
      {},
      make(
        'tr',
        {},
        ...names.map((name) => make('th', { scope: 'col' }, name)),
        make('th', { scope: 'col' }, 'Action'),
      ),
    ),
    make('tbody', {}, ...tokens.map((token) => row(token, revoke))),
  );
}

const row = (token, revoke) =>
  make(
    'tr',
    {},
    make('th', { scope: 'row' }, token.name),
    cell('Secret', make('code', {}, `…${token.suffix}`)),
    cell('May do', ROLES[token.role] ?? token.role, token.webApi ? '' : ' (no Web API)'),
    cell('Created', timeOf(token.createdAt)),
    cell('Ends', timeOf(token.expiresAt)),
    cell('Last used', token.lastUsedAt ? timeOf(token.lastUsedAt) : 'never'),
    make('td', {}, revokeButtons(token, revoke)),
  );

function revokeButtons(token, revoke) {
  const box = make('div', { class: 'actions' });
  const ask = make('button', { type: 'button', class: 'small', 'aria-label': `Revoke ${token.name}` }, 'Revoke');
  const yes = make('button', { type: 'button', class: 'small danger' }, 'Yes, revoke');
  const no = make('button', { type: 'button', class: 'small' }, 'Keep');
  ask.addEventListener('click', () => {
    box.replaceChildren(yes, no);
    no.focus();
  });
  no.addEventListener('click', () => {
    box.replaceChildren(ask);
    ask.focus();
  });
  yes.addEventListener('click', () => revoke(token));
  box.append(ask);
  return box;
}
