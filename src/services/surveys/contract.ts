import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id, timestamp } from '#kernel/contract/plain-fields.ts';

export const MAX_SURVEY_RESPONSES = 100;

export const SURVEY_QUOTA = fault(
  'SURVEY_QUOTA',
  409,
  'A person can answer at most {most} surveys.',
  'Answer a survey again that you have answered before: the last answer counts.',
);

const MOST_BYTES = 32 * 1024;

const hasBigint = (value: unknown): boolean => {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
};

/** True for an answer that comes back exactly as it was given, and is no more than a form can hold. */
const isKeepable = (given: unknown): boolean =>
  !hasBigint(given) && new TextEncoder().encode(JSON.stringify(given)).length <= MOST_BYTES;

const surveyName = () => z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/);
const data = z.record(z.string(), z.unknown());

export const SurveyResponse = z.object({
  surveyName: z.string(),
  data,
  id: id('SurveyResponse'),
  userId: id('User'),
  submittedAt: timestamp(),
});
export type SurveyResponse = z.output<typeof SurveyResponse>;

const self = { maturity: 'experimental', allow: 'self', scheme: 'user' } as const;

export const getSurveyResponse = operation({
  ...self,
  route: 'GET /api/survey/name/{surveyName}',
  summary: 'Get your answer to a survey',
  description: '`response` is absent while you have not answered; whether there is such a survey is not told.',
  path: { surveyName: surveyName() },
  reply: { response: SurveyResponse.optional() },
});

export const createSurveyResponse = operation({
  ...self,
  route: 'POST /api/survey/submit',
  summary: 'Answer a survey',
  description: 'For yourself. Answering again replaces what you answered before.',
  body: {
    surveyName: surveyName(),
    data: data.refine(isKeepable, {
      error: 'must be at most 32 KiB as JSON, without whole numbers beyond 2^53: send those as text',
    }),
  },
  reply: { response: SurveyResponse },
  faults: [SURVEY_QUOTA],
});

/** What the examples of the API description show. */
export const exampleIds = { Survey: 'onboarding' };
