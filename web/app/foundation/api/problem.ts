/** What the server said was wrong (RFC 9457), or that it said nothing. */
export interface ProblemBody {
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  hint: string;
  errors: { pointer: string; code: string; detail: string }[];
}

/** A call that did not succeed; everything a person needs to know of it is in `body`. */
export class Problem extends Error {
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(body.detail);
    this.name = 'Problem';
    this.body = body;
  }

  /** What is wrong with a member of the request, by the last part of its pointer. */
  fieldErrors(): Record<string, string> {
    return Object.fromEntries(
      this.body.errors.map(({ pointer, detail }) => [pointer.split('/').at(-1) ?? pointer, detail]),
    );
  }
}

const UNREACHABLE: ProblemBody = {
  title: 'No answer',
  status: 0,
  detail: 'The server could not be reached.',
  code: 'UNREACHABLE',
  requestId: '',
  hint: 'Check that it runs and that you are online, then try again.',
  errors: [],
};

export const unreachableProblem = (): Problem => new Problem(UNREACHABLE);

/** The problem of an answer whose body may be of any kind: a proxy in between answers in its own words. */
export function problemFromResponse(status: number, body: unknown): Problem {
  const given = typeof body === 'object' && body !== null ? (body as Partial<ProblemBody>) : {};
  return new Problem({
    ...UNREACHABLE,
    title: 'Something went wrong',
    detail: `The server answered with status ${status}.`,
    code: `HTTP_${status}`,
    hint: 'Try again; if it happens again, tell an administrator.',
    ...given,
    status,
  });
}

export const asProblem = (error: unknown): Problem =>
  error instanceof Problem
    ? error
    : new Problem({
        ...UNREACHABLE,
        title: 'This page failed',
        detail: error instanceof Error ? error.message : String(error),
        code: 'PAGE_FAILED',
        hint: 'Reload the page; if it happens again, tell an administrator.',
      });
