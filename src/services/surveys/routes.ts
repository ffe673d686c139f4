import { group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** SurveysService: survey responses of the caller. */
export const surveys = group('SurveysService', contract, {
  getSurveyResponse: async ({ path, tx, caller }) => ({
    response: await store.find(tx, caller.userId, path.surveyName),
  }),

  createSurveyResponse: async ({ body, tx, caller, answer }) => {
    if ((await store.countOthers(tx, caller.userId, body.surveyName)) >= contract.MAX_SURVEY_RESPONSES)
      throw contract.SURVEY_QUOTA({ most: contract.MAX_SURVEY_RESPONSES });
    const response = await store.upsert(tx, caller.userId, body);
    answer.recordEffect({ object: `survey/${body.surveyName}`, after: body.data });
    return { response };
  },
});
