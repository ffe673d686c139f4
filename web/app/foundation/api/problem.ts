/** A problem document of the server (RFC 9457), or one made up here when the server did not answer. */
export interface ProblemBody {
  title: string;
  status: number;
  detail: string;
  code: string;
  requestId: string;
  hint: string;
  errors: { pointer: string; code: string; detail: string }[];
}

/** A failed call; `body` holds everything that is shown to the user. */
export class Problem extends Error {
  readonly body: ProblemBody;

  constructor(body: ProblemBody) {
    super(body.detail);
    this.name = 'Problem';
    this.body = body;
  }

  /** Error details by field name, which is the last segment of the JSON pointer. */
  fieldErrors(): Record<string, string> {
    return Object.fromEntries(
      this.body.errors.map(({ pointer, detail }) => [pointer.split('/').at(-1) ?? pointer, detail]),
    );
  }
}

const UNREACHABLE: ProblemBody = {
  title: 'No response',
  status: 0,
  detail: 'The server could not be reached.',
  code: 'UNREACHABLE',
  requestId: '',
  hint: 'Check that the server is running and that you are online, then try again.',
  errors: [],
};

export const unreachableProblem = (): Problem => new Problem(UNREACHABLE);

/** Builds a problem from a response with any body: a proxy may answer with something other than a problem document. */
export function problemFromResponse(status: number, body: unknown): Problem {
  const document = typeof body === 'object' && body !== null ? (body as Partial<ProblemBody>) : {};
  return new Problem({
    ...UNREACHABLE,
    title: 'Something went wrong',
    detail: `The server answered with status ${status}.`,
    code: `HTTP_${status}`,
    hint: 'Try again. If it keeps failing, contact an administrator.',
    ...document,
    status,
  });
}

/** What a browser reports if a part of the application cannot be loaded, in the words of each browser. */
const CHUNK_FAILURE = /dynamically imported module|importing a module script failed|unable to preload/i;

/** Shows no exception to the user; the browser logs it. */
export function asProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof Error && CHUNK_FAILURE.test(error.message)) return unreachableProblem();
  return new Problem({
    ...UNREACHABLE,
    title: 'This page failed',
    detail: 'A part of this page stopped working because of a mistake in the program.',
    code: 'PAGE_FAILED',
    hint: 'Reload the page. If it keeps failing, contact an administrator.',
  });
}

/** Statuses of a proxy whose server is away, and of a server that is starting or stopping. */
const OUTAGE_STATUSES = [502, 503, 504];

/** Whether the server is away, so that asking again later helps. */
export function isOutage(error: unknown): boolean {
  const { status, code } = asProblem(error).body;
  return code === 'UNREACHABLE' || OUTAGE_STATUSES.includes(status);
}

/** How often a page that shows an outage asks again. */
export const RECOVERY_INTERVAL_MS = 3000;
