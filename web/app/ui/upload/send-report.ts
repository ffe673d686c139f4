import { buildRequest } from '#web/foundation/api/client.ts';
import { problemFromResponse, unreachableProblem } from '#web/foundation/api/problem.ts';
import { authorizationHeader, withTokenRefresh } from '#web/foundation/api/session.ts';
import type { ImportResult } from './import-summary.ts';

export interface ReportTarget {
  project: string;
  ref: string;
  commit: string;
}

interface Upload extends ReportTarget {
  deployment: string;
  file: Blob;
  isDryRun: boolean;
  /** From 0 to 1; at 1 the server is still processing the report. */
  onProgress: (fraction: number) => void;
  signal: AbortSignal;
}

const parseOrEmpty = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
};

/** Uses XMLHttpRequest, because `fetch` does not report upload progress. */
function post(url: string, { file, onProgress, signal }: Upload): Promise<ImportResult> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', url);
    for (const [name, value] of Object.entries(authorizationHeader())) request.setRequestHeader(name, value);
    request.setRequestHeader('content-type', 'application/octet-stream');
    request.upload.onprogress = ({ loaded, total }) => onProgress(total === 0 ? 1 : loaded / total);
    request.onerror = () => reject(unreachableProblem());
    request.onabort = () => reject(signal.reason);
    request.onload = () => {
      const body = parseOrEmpty(request.responseText);
      if (request.status >= 200 && request.status < 300) resolve(body as ImportResult);
      else reject(problemFromResponse(request.status, body));
    };
    signal.throwIfAborted();
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(file);
  });
}

/** Imports a report; a dry run returns what would change without changing it. */
export function sendReport(upload: Upload): Promise<ImportResult> {
  const { deployment, project, ref, commit, isDryRun } = upload;
  const query = {
    project,
    ...(ref === '' ? {} : { ref }),
    ...(commit === '' ? {} : { commit }),
    ...(isDryRun ? { dryRun: true } : {}),
  };
  const { url } = buildRequest('ImportsService_ImportReport', { path: { deployment }, query });
  return withTokenRefresh(() => post(url, upload));
}
