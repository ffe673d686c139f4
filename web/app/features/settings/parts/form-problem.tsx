import { Problem } from '#web/foundation/api/problem.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';

/** Server errors by field name. */
export const fieldErrorsOf = (error: unknown): Record<string, string> =>
  error instanceof Problem ? error.fieldErrors() : {};

/** Shows the problem of a form and the list of invalid fields. */
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
