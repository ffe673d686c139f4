import { call } from './client.js';
import { byId } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';
import { takeFragmentToken } from './fragment-token.js';

const form = byId('invitation-form');
let token = '';

function show(id) {
  for (const view of ['ask-link', 'fill-in', 'done']) byId(view).hidden = view !== id;
}

function takeToken() {
  token = takeFragmentToken() || token;
  show(token ? 'fill-in' : 'ask-link');
}

/** Assigns password problems to the password field. */
const atPasswordField = (problem) =>
  ['PASSWORD_TOO_WEAK', 'SIGN_IN_REFUSED'].includes(problem.code)
    ? { ...problem, errors: [{ pointer: '#/password', detail: passwordText(problem) }] }
    : problem;

const passwordText = ({ code, detail }) =>
  code === 'SIGN_IN_REFUSED' ? 'you already have an account here, and this is not its password' : detail;

async function accept(values) {
  const region = byId('problem');
  const errors = errorsIn(form);
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', '/api/auth/invitations/accept', { body: { token, ...values } });
  if (!value) return showProblem(form, region, atPasswordField(problem));
  byId('done-email').textContent = value.user.email;
  form.reset();
  removeEventListener('hashchange', takeToken);
  show('done');
  return byId('done').querySelector('h1').focus();
}

wireReveal(byId('reveal'), byId('password'));
onSubmit(form, accept);
addEventListener('hashchange', takeToken);
takeToken();
