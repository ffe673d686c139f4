import { z } from 'zod';
import { fault } from '#kernel/contract/fault.ts';
import { operation } from '#kernel/contract/operation.ts';

const MAX_DELIVERY_BYTES = 8 * 1024 ** 2;

export const DELIVERY_REFUSED = fault(
  'DELIVERY_REFUSED',
  401,
  'No webhook with this address and signature is known.',
  'Register the webhook anew in the settings of the connection, and delete this one at the code host.',
);

const hookKey = () => z.string().regex(/^[\w-]{22}$/, { error: 'expected the address of a webhook' });

export const receiveScmDelivery = operation({
  maturity: 'experimental',
  isExtension: true,
  allow: 'public',
  transaction: 'manual',
  limitPolicy: 'hook',
  route: 'POST /hooks/scm/{hookKey}',
  summary: 'Receive a webhook of a code host',
  description:
    'For code hosts only: the body must be signed as the host does it. A delivery is stored before it is answered; ' +
    'one that is sent again changes nothing. Deliveries that are of no interest are accepted too.',
  path: { hookKey: hookKey() },
  upload: { types: ['application/json'], limitBytes: MAX_DELIVERY_BYTES },
  status: 202,
  reply: {},
  faults: [DELIVERY_REFUSED],
});
