import { group } from '#kernel/http/group.ts';
import * as contract from './contract.ts';
import * as store from './store.ts';

/** SurveysService: what people answer to surveys, each for themselves. */
export const surveys = group('SurveysService', contract, {
  getSurveyResponse: async ({ path, tx, caller }) => ({
    response: await store.find(tx, caller.userId, path.surveyName),
  }),

  createSurveyResponse: async ({ body, tx, caller, answer }) => {
    if ((await store.countOthers(tx, caller.userId, body.surveyName)) >= contract.MOST_SURVEYS)
      throw contract.SURVEY_QUOTA({ most: contract.MOST_SURVEYS });
    const response = await store.put(tx, caller.userId, body);
    answer.changed({ object: `survey/${body.surveyName}`, after: body.data });
    return { response };
  },
});
