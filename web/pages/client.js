const unreachable = {
  title: 'No response',
  detail: 'The server could not be reached.',
  hint: 'Check that the server is running, then try again.',
  code: '',
  requestId: '',
  errors: [],
};

/** Calls the API. Never throws: returns either a `value` or a `problem`. */
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

/** The session of a signed-in user; the access token is kept in memory only. */
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
    // Reusing a refresh cookie revokes the session, so tabs refresh under a lock.
    const answer = await (navigator.locks ? navigator.locks.request('parapet-refresh', send) : send());
    if (answer.value) this.adopt(answer.value);
    return answer;
  }

  /** Calls the API with the access token; if it has expired, refreshes it and tries again. */
  async call(method, path, body) {
    const send = () => call(method, path, { token: this.#accessToken, body });
    const answer = await send();
    if (answer.problem?.code !== 'INVALID_CREDENTIALS') return answer;
    return (await this.refresh()).value ? send() : answer;
  }
}
