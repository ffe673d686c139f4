import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';
import { id, timestamp } from '#kernel/contract/plain-fields.ts';

export const MAX_SURVEY_RESPONSES = 100;

export const SURVEY_QUOTA = fault(
  'SURVEY_QUOTA',
  409,
  'A person can answer at most {most} surveys.',
  'Respond again to a survey that you have responded to before; the last response counts.',
);

const MAX_RESPONSE_BYTES = 32 * 1024;

const hasBigint = (value: unknown): boolean => {
  if (typeof value === 'bigint') return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasBigint);
};

/** True if the response can be stored without loss and is not too large. */
const isStorable = (response: unknown): boolean =>
  !hasBigint(response) && new TextEncoder().encode(JSON.stringify(response)).length <= MAX_RESPONSE_BYTES;

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

const self = { maturity: 'experimental', allow: 'self', credential: 'user' } as const;

export const getSurveyResponse = operation({
  ...self,
  route: 'GET /api/survey/name/{surveyName}',
  summary: 'Get your response to a survey',
  description: '`response` is absent if you have not responded, whether or not the survey exists.',
  path: { surveyName: surveyName() },
  reply: { response: SurveyResponse.optional() },
});

export const createSurveyResponse = operation({
  ...self,
  route: 'POST /api/survey/submit',
  summary: 'Respond to a survey',
  description: 'Only for yourself. Responding again replaces the previous response.',
  body: {
    surveyName: surveyName(),
    data: data.refine(isStorable, {
      error: 'must be at most 32 KiB as JSON, without whole numbers beyond 2^53: send those as text',
    }),
  },
  reply: { response: SurveyResponse },
  faults: [SURVEY_QUOTA],
});

/** What the examples of the API description show. */
export const exampleIds = { Survey: 'onboarding' };
