import { call, Session } from './client.js';
import { byId } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';
import { secretOf, tokensPath } from './tokens.js';

const SHORTEST_PASSWORD = 12;
const session = new Session();
const form = byId('setup-form');
let setupToken = '';

function show(id) {
  for (const view of ['ask-link', 'fill-in', 'done']) byId(view).hidden = view !== id;
}

/** Takes the token out of the address, where it would be seen and remembered. */
function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get('t');
  if (token) {
    setupToken = token;
    history.replaceState(null, '', location.pathname);
  }
  const isDone = session.accessToken !== '';
  if (!isDone) show(setupToken ? 'fill-in' : 'ask-link');
}

function pasteLink({ link }) {
  const linkForm = byId('link-form');
  const token = /(?:#t=|^)([\w-]{8,200})$/.exec(link.trim())?.[1];
  const errors = [{ pointer: '#/link', detail: 'this is neither a set-up link nor its token' }];
  if (!token) return showProblem(linkForm, byId('link-problem'), { errors });
  setupToken = token;
  show('fill-in');
  return byId('name').focus();
}

const lengthOf = (text) => [...text].length;

function passwordErrors({ password }) {
  const length = lengthOf(password);
  if (length === 0 || length >= SHORTEST_PASSWORD) return [];
  return [{ pointer: '#/password', detail: `use ${SHORTEST_PASSWORD} characters or more; these are ${length}` }];
}

async function setUp(wish) {
  const region = byId('problem');
  const errors = [...errorsIn(form), ...passwordErrors(wish)];
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', '/api/auth/setup', { body: { setupToken, ...wish } });
  if (!value) return showProblem(form, region, placed(problem));
  session.adopt(value);
  byId('done-email').textContent = value.user.email;
  form.reset();
  show('done');
  return byId('done').querySelector('h1').focus();
}

/** A weak password is a fault of its own: it belongs to its field all the same. */
const placed = (problem) =>
  problem.code === 'PASSWORD_TOO_WEAK'
    ? { ...problem, errors: [{ pointer: '#/password', detail: problem.detail }] }
    : problem;

async function createToken({ name }) {
  const tokenForm = byId('token-form');
  const region = byId('token-problem');
  clearProblem(tokenForm, region);
  const found = await session.call('GET', '/api/auth/users/current/deployments');
  const [deployment] = found.value?.orgs ?? [];
  if (!deployment) return showProblem(tokenForm, region, found.problem);
  const body = { name, role: 'TOKEN_ROLE_WEBAPI', webApi: true };
  const { value, problem } = await session.call('POST', tokensPath(deployment), body);
  if (!value) return showProblem(tokenForm, region, problem);
  tokenForm.hidden = true;
  const secret = secretOf(value);
  byId('token-result').replaceChildren(secret);
  return secret.focus();
}

const live = (name, text) => {
  for (const place of document.querySelectorAll(`[data-live="${name}"]`)) place.textContent = text;
};

function showGains() {
  const organization = form.elements.deploymentName.value.trim();
  const person = form.elements.name.value.trim();
  live('deployment', organization || 'Your organization');
  live('team', organization ? `The default team “${organization}”` : 'A default team');
  live('admin', person ? `${person}, as administrator` : 'You, as administrator');
  const length = lengthOf(form.elements.password.value);
  const isShort = length > 0 && length < SHORTEST_PASSWORD;
  byId('password-hint').textContent = isShort
    ? `${SHORTEST_PASSWORD - length} more to go; a sentence is good.`
    : length === 0
      ? `${SHORTEST_PASSWORD} characters or more; a sentence is good.`
      : `Long enough: ${length} characters.`;
}

wireReveal(byId('reveal'), byId('password'));
onSubmit(byId('link-form'), pasteLink);
onSubmit(form, setUp);
onSubmit(byId('token-form'), createToken);
form.addEventListener('input', showGains);
addEventListener('hashchange', takeToken);
showGains();
takeToken();
