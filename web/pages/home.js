import { call, Session } from './client.js';
import { byId, make } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';
import { secretOf, tokensPath, tokenTable } from './tokens.js';

const DAY_MS = 24 * 3600 * 1000;
const session = new Session();
let chosen;

function show(isSignedIn) {
  byId('signed-in').hidden = !isSignedIn;
  byId('signed-out').hidden = isSignedIn;
}

async function signIn(wish) {
  const form = byId('sign-in');
  const region = byId('sign-in-problem');
  const errors = errorsIn(form);
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', '/api/auth/sessions', { body: wish });
  if (!value) return showProblem(form, region, problem);
  form.reset();
  session.adopt(value);
  await welcome();
  return byId('who-name').focus();
}

async function signOut() {
  const { problem } = await session.call('DELETE', '/api/auth/sessions/current');
  // A session that has ended already is signed out all the same.
  if (problem && problem.status !== 401) return showProblem(undefined, byId('problem'), problem);
  session.forget();
  for (const id of ['deployments', 'tokens', 'token-result', 'problem']) byId(id).replaceChildren();
  show(false);
  return byId('email').focus();
}

async function welcome() {
  byId('who-name').textContent = session.user.name;
  byId('who-email').textContent = session.user.email;
  show(true);
  const { value, problem } = await session.call('GET', '/api/auth/users/current/deployments');
  if (!value) return showProblem(undefined, byId('problem'), problem);
  const [first] = value.orgs;
  byId('deployments').replaceChildren(deploymentTable(value.orgs));
  byId('tokens-block').hidden = !first;
  if (first) await choose(first);
}

function deploymentTable(deployments) {
  if (deployments.length === 0) return make('p', { class: 'dimmed' }, 'You belong to no deployment yet.');
  const rows = deployments.map((deployment) =>
    make(
      'li',
      {},
      make('strong', {}, deployment.displayName || deployment.name),
      make('span', { class: 'dimmed' }, 'slug ', make('code', {}, deployment.slug), ' · id ', code(deployment.id)),
      deployments.length > 1
        ? make('button', { class: 'small', type: 'button', click: () => choose(deployment) }, 'Show its tokens')
        : undefined,
    ),
  );
  return make('ul', { class: 'deployments' }, ...rows);
}

const code = (text) => make('code', {}, text);

async function choose(deployment) {
  chosen = deployment;
  byId('tokens-of').textContent = `of ${deployment.displayName || deployment.name}`;
  byId('token-result').replaceChildren();
  await listTokens();
}

/** Shows the tokens; with a cursor those that follow are added. */
async function listTokens(cursor = '', before = []) {
  const region = byId('token-problem');
  const query = new URLSearchParams({ limit: '100', cursor });
  const { value, problem } = await session.call('GET', `${tokensPath(chosen)}?${query}`);
  byId('token-form').hidden = problem?.code === 'PERMISSION_DENIED';
  if (!value) {
    byId('tokens').replaceChildren();
    return showProblem(undefined, region, problem);
  }
  const tokens = [...before, ...value.tokens];
  const more = make('button', { type: 'button', click: () => listTokens(value.cursor, tokens) }, 'Show more');
  byId('tokens').replaceChildren(tokenTable(tokens, revoke), ...(value.cursor ? [more] : []));
}

async function createToken({ name, role, days }) {
  const form = byId('token-form');
  const region = byId('token-problem');
  clearProblem(form, region);
  const expiresAt = new Date(Date.now() + Number(days) * DAY_MS).toISOString();
  const { value, problem } = await session.call('POST', tokensPath(chosen), { name, role, webApi: true, expiresAt });
  if (!value) return showProblem(form, region, problem);
  form.reset();
  const secret = secretOf(value);
  byId('token-result').replaceChildren(secret);
  secret.focus();
  return listTokens();
}

async function revoke(token) {
  const region = byId('token-problem');
  clearProblem(undefined, region);
  const { problem } = await session.call('DELETE', `${tokensPath(chosen)}/${token.id}`);
  if (problem) return showProblem(undefined, region, problem);
  byId('token-result').replaceChildren(make('p', { class: 'notice' }, `“${token.name}” is revoked.`));
  byId('tokens-title').focus();
  return listTokens();
}

wireReveal(byId('reveal'), byId('password'));
onSubmit(byId('sign-in'), signIn);
onSubmit(byId('token-form'), createToken);
byId('sign-out').addEventListener('click', signOut);

const { value, problem } = await session.refresh();
if (value) await welcome();
else show(false);
if (problem?.code === 'FOREIGN_ORIGIN') showProblem(undefined, byId('sign-in-problem'), problem);
