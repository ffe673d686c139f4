import { byId, make } from './dom.js';

const sentence = (text) => `${text.charAt(0).toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}`;

const inputOf = (form, { pointer }) => (pointer.startsWith('#/') ? form.elements.namedItem(pointer.slice(2)) : null);

const errorOf = (input) => byId(`${input.id}-error`);

/** Clears the errors of the previous attempt. */
export function clearProblem(form, region) {
  region.replaceChildren();
  for (const input of form?.elements ?? []) {
    if (input.hasAttribute('aria-invalid')) clearField(input);
  }
}

/** Shows a problem: field errors at their fields, the rest in the region. */
export function showProblem(form, region, problem) {
  clearProblem(form, region);
  const placed = problem.errors.filter((error) => form && mark(form, error));
  const others = problem.errors.filter((error) => !placed.includes(error));
  const isAllPlaced = placed.length > 0 && others.length === 0;
  if (!isAllPlaced) region.append(alertOf(problem, others));
  else if (placed.length > 1)
    region.append(make('div', { class: 'alert' }, `${placed.length} fields need your attention.`));
  (isAllPlaced ? inputOf(form, placed[0]) : region).focus();
}

function mark(form, error) {
  const input = inputOf(form, error);
  const place = input && errorOf(input);
  if (!place) return false;
  input.setAttribute('aria-invalid', 'true');
  place.textContent = input.value === '' ? 'This field is required.' : sentence(error.detail);
  return true;
}

function alertOf({ title, detail, hint, code, requestId }, errors) {
  const traces = [
    code && make('a', { href: `/docs/errors#${code}` }, code),
    requestId && ` · request ${requestId}`,
  ].filter(Boolean);
  return make(
    'div',
    { class: 'alert' },
    make('p', {}, make('strong', {}, title), ': ', sentence(detail)),
    hint ? make('p', {}, hint.replaceAll('`', '')) : undefined,
    errors.length > 0
      ? make('ul', {}, ...errors.map((error) => make('li', {}, `${error.pointer} ${error.detail}`)))
      : undefined,
    traces.length > 0 ? make('p', { class: 'small-print' }, ...traces) : undefined,
  );
}

/** Client-side validation errors, in the format of the server. */
export function errorsIn(form) {
  return [...form.elements].flatMap((input) => {
    const pointer = `#/${input.name}`;
    if (!input.willValidate || input.validity.valid) return [];
    if (input.validity.valueMissing) return [{ pointer, detail: 'this field is required' }];
    return [{ pointer, detail: 'enter an e-mail address, such as name@example.com' }];
  });
}

function clearField(input) {
  input.removeAttribute('aria-invalid');
  errorOf(input).textContent = '';
}

/** Runs the work when the form is submitted, and ignores submits while it runs. */
export function onSubmit(form, work) {
  const button = form.querySelector('button[type="submit"]');
  form.addEventListener('input', ({ target }) => {
    if (target.hasAttribute('aria-invalid')) clearField(target);
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (button.getAttribute('aria-disabled') === 'true') return;
    button.setAttribute('aria-disabled', 'true');
    try {
      await work(Object.fromEntries(new FormData(form)));
    } finally {
      button.removeAttribute('aria-disabled');
    }
  });
}

/** Adds a show/hide button to a password field. */
export function wireReveal(button, input) {
  button.addEventListener('click', () => {
    const isShown = input.type === 'password';
    input.type = isShown ? 'text' : 'password';
    button.setAttribute('aria-pressed', String(isShown));
    button.textContent = isShown ? 'Hide' : 'Show';
  });
}
