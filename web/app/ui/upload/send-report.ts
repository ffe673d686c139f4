import { buildRequest } from '#web/foundation/api/client.ts';
import { problemFromResponse, unreachableProblem } from '#web/foundation/api/problem.ts';
import { authorizationHeader, withTokenRefresh } from '#web/foundation/api/session.ts';
import type { ImportResult } from './import-summary.ts';

export interface ReportTarget {
  project: string;
  ref: string;
  commit: string;
}

interface Sending extends ReportTarget {
  deployment: string;
  file: Blob;
  isDryRun: boolean;
  /** From 0 to 1; what comes after is the server reading it. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** `fetch` does not tell how far an upload is, so this is the one call that is made the old way. */
function post(url: string, { file, onProgress, signal }: Sending): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(authorizationHeader())) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(unreachableProblem());
    request.onabort = () => reject(signal.reason);
    request.onload = () => {
      const body = parsed(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as ImportResult);
      else reject(problemFromResponse(request.status, body));
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Hands in a report; a dry run says what it would change and changes nothing. */
export function sendReport(sending: Sending): Promise<ImportResult> {
  const { deployment, project, ref, commit, isDryRun } = sending;
  const query = {
    project,
    ...(ref === '' ? {} : { ref }),
    ...(commit === '' ? {} : { commit }),
    ...(isDryRun ? { dryRun: true } : {}),
  };
  const { url } = buildRequest('ImportsService_ImportReport', { path: { deployment }, query });
  return withTokenRefresh(() => post(url, sending));
}
