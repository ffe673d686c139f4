import { z } from 'zod';
import { type HostExchange, isSuccess, readReply, refusalOf } from './host-call.ts';

const Id = z.union([z.number(), z.string()]).transform(String);
/** GitLab has the address beside the id, the others have it in the configuration. */
const HostHook = z.looseObject({
  id: Id,
  url: z.string().nullish(),
  config: z.looseObject({ url: z.string().nullish() }).nullish(),
});

/** The webhooks of a repository or a namespace at a host. */
export interface HostHooks {
  hostName: string;
  path: string;
  /** The query that asks for a full page of them. */
  query: string;
  update: 'PATCH' | 'PUT';
}

/** Changes the webhook with this id or address, or makes one: an answer that was lost makes no second one. */
export function* putHostHook(
  { hostName, path, query, update }: HostHooks,
  { url, content, whenNew = {} }: { url: string; content: object; whenNew?: object },
  hostHookId: string | undefined,
): HostExchange<string> {
  const hooks = readReply(z.array(HostHook), hostName, yield { method: 'GET', path: `${path}?${query}` });
  const known = hooks.find((hook) => hook.id === hostHookId || (hook.config?.url ?? hook.url) === url);
  const reply = known
    ? yield { method: update, path: `${path}/${encodeURIComponent(known.id)}`, body: content }
    : yield { method: 'POST', path, body: { ...whenNew, ...content } };
  return readReply(HostHook, hostName, reply).id;
}

/** Deletes a webhook; one that is gone is fine. */
export function* deleteHostHook({ hostName, path }: HostHooks, hostHookId: string): HostExchange<void> {
  const reply = yield { method: 'DELETE', path: `${path}/${encodeURIComponent(hostHookId)}` };
  if (reply.status !== 404 && !isSuccess(reply)) throw refusalOf(hostName, reply);
}
