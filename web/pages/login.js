import { call, Session } from './client.js';
import { byId, make } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';

const session = new Session();
let key = '';

function show(id) {
  for (const view of ['ask-link', 'sign-in-first', 'confirm', 'done']) byId(view).hidden = view !== id;
}

/** Removes the key from the URL, so that it stays out of the browser history. */
function takeKey() {
  key = new URLSearchParams(location.search).get('cli-token') ?? '';
  history.replaceState(null, '', location.pathname);
}

async function signIn(values) {
  const form = byId('sign-in');
  const region = byId('sign-in-problem');
  const errors = errorsIn(form);
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', '/api/auth/sessions', { body: values });
  if (!value) return showProblem(form, region, problem);
  form.reset();
  session.adopt(value);
  return askForConfirmation();
}

/** Asks the user to confirm; nothing happens before the click. */
async function askForConfirmation() {
  byId('who').textContent = session.user.email;
  byId('key-end').textContent = key.slice(-12);
  show('confirm');
  byId('confirm').querySelector('h1').focus();
  const { value, problem } = await session.call('GET', '/api/auth/users/current/deployments');
  if (!value) return showProblem(undefined, byId('problem'), problem);
  const options = value.orgs.map(({ id, displayName, name }) => make('option', { value: id }, displayName || name));
  byId('deployment').replaceChildren(...options);
}

async function confirm({ deployment }) {
  const form = byId('confirm-form');
  const region = byId('problem');
  clearProblem(form, region);
  const path = `/api/tokens/v1/deployments/${encodeURIComponent(deployment)}/cli-logins`;
  const { value, problem } = await session.call('POST', path, { key });
  if (!value) return showProblem(form, region, problem);
  show('done');
  return byId('done').querySelector('h1').focus();
}

wireReveal(byId('reveal'), byId('password'));
onSubmit(byId('sign-in'), signIn);
onSubmit(byId('confirm-form'), confirm);
takeKey();

if (key === '') show('ask-link');
else if ((await session.refresh()).value) await askForConfirmation();
else show('sign-in-first');
