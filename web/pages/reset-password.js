import { call } from './client.js';
import { byId } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';
import { takeFragmentToken } from './fragment-token.js';

const VIEWS = ['ask-link', 'asked', 'fill-in', 'done'];
let token = '';

function show(id) {
  for (const view of VIEWS) byId(view).hidden = view !== id;
}

function start() {
  token = takeFragmentToken() || token;
  show(token ? 'fill-in' : 'ask-link');
}

function finish(id) {
  removeEventListener('hashchange', start);
  show(id);
  byId(id).querySelector('h1').focus();
}

/** Sends a form, with its problems shown in it; undefined if there are some. */
async function send(form, region, { path, body, placed = (problem) => problem }) {
  const errors = errorsIn(form);
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', path, { body });
  return value ?? showProblem(form, region, placed(problem));
}

/** Assigns password problems to the password field. */
const atPasswordField = (problem) =>
  problem.code === 'PASSWORD_TOO_WEAK'
    ? { ...problem, errors: [{ pointer: '#/password', detail: problem.detail }] }
    : problem;

async function ask(values) {
  const asked = await send(byId('ask-form'), byId('ask-problem'), { path: '/api/auth/password-resets', body: values });
  if (!asked) return;
  byId('asked-email').textContent = values.email;
  finish('asked');
}

async function reset(values) {
  const form = byId('reset-form');
  const session = await send(form, byId('problem'), {
    path: '/api/auth/password-resets/complete',
    body: { token, ...values },
    placed: atPasswordField,
  });
  if (!session) return;
  byId('done-email').textContent = session.user.email;
  form.reset();
  finish('done');
}

wireReveal(byId('reveal'), byId('password'));
onSubmit(byId('ask-form'), ask);
onSubmit(byId('reset-form'), reset);
addEventListener('hashchange', start);
start();
