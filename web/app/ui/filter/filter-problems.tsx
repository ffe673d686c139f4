import type { FilterProblem } from '#domain/query/ast.ts';
import { applyCorrection, type FilterDraft } from './suggestions.ts';

interface FilterProblemsProps {
  text: string;
  problems: readonly FilterProblem[];
  onCorrect: (draft: FilterDraft) => void;
}

/** The problems of a filter with suggested corrections. */
export function FilterProblems({ text, problems, onCorrect }: FilterProblemsProps) {
  return (
    <div className="filter-problems" role="status">
      {problems.map((problem) => (
        <p key={`${problem.start} ${problem.code}`}>
          <mark>{text.slice(problem.start, problem.end).slice(0, 60)}</mark> {problem.message}
          {problem.suggestions.slice(0, 3).map((suggestion) => {
            const next = applyCorrection(text, problem, suggestion);
            return (
              <button
                key={suggestion}
                type="button"
                className="filter-correction"
                onClick={() => onCorrect({ text: next, cursor: next.length })}
              >
                Use <code>{suggestion}</code>
              </button>
            );
          })}
        </p>
      ))}
    </div>
  );
}
