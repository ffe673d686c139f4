import { call } from './client.js';
import { byId } from './dom.js';
import { clearProblem, errorsIn, onSubmit, showProblem, wireReveal } from './form.js';

const form = byId('invitation-form');
let token = '';

function show(id) {
  for (const view of ['ask-link', 'fill-in', 'done']) byId(view).hidden = view !== id;
}

/** Takes the token out of the address, where it would be seen and remembered. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('t');
  if (given) {
    token = given;
    history.replaceState(null, '', location.pathname);
  }
  show(token ? 'fill-in' : 'ask-link');
}

/** What is wrong with a password belongs to its field. */
const placed = (problem) =>
  ['PASSWORD_TOO_WEAK', 'SIGN_IN_REFUSED'].includes(problem.code)
    ? { ...problem, errors: [{ pointer: '#/password', detail: passwordText(problem) }] }
    : problem;

const passwordText = ({ code, detail }) =>
  code === 'SIGN_IN_REFUSED' ? 'you have an account here already, and this is not its password' : detail;

async function accept(wish) {
  const region = byId('problem');
  const errors = errorsIn(form);
  if (errors.length > 0) return showProblem(form, region, { errors });
  clearProblem(form, region);
  const { value, problem } = await call('POST', '/api/auth/invitations/accept', { body: { token, ...wish } });
  if (!value) return showProblem(form, region, placed(problem));
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
