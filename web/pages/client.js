const unreachable = {
  title: 'No answer',
  detail: 'The server could not be reached.',
  hint: 'Check that it runs, then try again.',
  code: '',
  requestId: '',
  errors: [],
};

/** One call to the API. It never throws: there is either a `value` or a `problem`. */
export async function call(method, path, { token, body } = {}) {
  const headers = { accept: 'application/json' };
  if (token) headers.authorization = `Bearer ${token}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  try {
    const response = await fetch(path, { method, headers, body: body === undefined ? null : JSON.stringify(body) });
    const text = await response.text();
    const answer = text === '' ? {} : JSON.parse(text);
    return response.ok ? { value: answer } : { problem: { ...unreachable, hint: '', ...answer } };
  } catch {
    return { problem: unreachable };
  }
}

/** A person who is signed in: the access token lives here, in memory, and nowhere else. */
export class Session {
  #accessToken = '';
  user;

  adopt({ accessToken, user }) {
    this.#accessToken = accessToken;
    this.user = user;
  }

  forget() {
    this.#accessToken = '';
    this.user = undefined;
  }

  get accessToken() {
    return this.#accessToken;
  }

  /** Gets a new access token with the refresh cookie. */
  async refresh() {
    const send = () => call('POST', '/api/auth/sessions/refresh', { body: {} });
    // A refresh cookie that is used twice ends its session, so tabs take turns.
    const answer = await (navigator.locks ? navigator.locks.request('parapet-refresh', send) : send());
    if (answer.value) this.adopt(answer.value);
    return answer;
  }

  /** A call as this person; when the access token has run out it gets a new one and tries again. */
  async call(method, path, body) {
    const send = () => call(method, path, { token: this.#accessToken, body });
    const answer = await send();
    if (answer.problem?.code !== 'INVALID_CREDENTIALS') return answer;
    return (await this.refresh()).value ? send() : answer;
  }
}
