import { Problem } from '#web/foundation/api/problem.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';

/** What the server said of single fields, by the last part of their names. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof Problem ? error.fieldErrors() : {};

/** What is wrong with a form, above it: the problem as a whole, and each field that it is about. */
export function FormProblem({ error }: { error: unknown }) {
  if (!error) return null;
  const fields = error instanceof Problem ? error.body.errors : [];
  return (
    <div>
      <ProblemView error={error} />
      {fields.length > 0 && (
        <ul>
          {fields.map(({ pointer, detail }) => (
            <li key={`${pointer} ${detail}`}>
              <code>{pointer.replace(/^#?\//, '')}</code> {detail}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
