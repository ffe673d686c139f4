import type { Examples } from '#kernel/contract/example.ts';
import type * as contract from './contract.ts';

export const examples: Examples<typeof contract> = {
  getSurveyResponse: () => ({ path: { surveyName: 'onboarding' } }),
  createSurveyResponse: (of) => ({
    body: { surveyName: of('Survey'), data: { role: 'developer', languages: ['go', 'typescript'], rating: 4 } },
  }),
};
