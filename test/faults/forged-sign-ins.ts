import { attackOpenId } from '#test/support/sso/attack-openid.ts';
import { attackSaml } from '#test/support/sso/attack-saml.ts';
import { FORGERIES } from '#test/support/sso/forged-responses.ts';
import type { Campaign, CampaignOptions, FaultFigure } from './campaign.ts';

const KINDS_OF_SIGNATURE = 2;
const REPLAYS = 1000;

/** Sends forged and mutated SAML responses and ID tokens, and answers of one sign-in in another. */
export const forgedSignIns: Campaign = {
  defaultCycles: 100_000,
  async run({ cycles, seed, log }: CampaignOptions): Promise<FaultFigure[]> {
    const forgeries = Object.keys(FORGERIES).length * KINDS_OF_SIGNATURE;
    const mutationsEach = Math.max(1, Math.ceil((cycles * 0.8) / forgeries) - 1);
    const saml = await attackSaml({ mutationsEach, seed });
    log(`${saml.tried} SAML responses, ${saml.accepted.length} accepted`);
    const openid = await attackOpenId({ tokens: cycles, replays: REPLAYS, seed });
    log(`${cycles} ID tokens and ${REPLAYS} replays, ${openid.accepted.length} accepted`);
    return [
      {
        id: 'SSO-05 forged-responses',
        expected: `0 of ${saml.tried} forged or mutated SAML responses accepted`,
        actual: `${saml.accepted.length} accepted ${saml.accepted.slice(0, 3).join(', ')}`,
        isMet: saml.accepted.length === 0 && saml.good !== '',
      },
      {
        id: 'SSO-03 forged-tokens',
        expected: `0 of ${cycles} forged or mutated ID tokens and ${REPLAYS} replays accepted`,
        actual: `${openid.accepted.length} accepted ${openid.accepted.slice(0, 2).join(', ')}`,
        isMet: openid.accepted.length === 0 && openid.isGoodAccepted,
      },
    ];
  },
};
