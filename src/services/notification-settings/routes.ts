import * as store from '#domain/mailing/mail-settings.ts';
import { unsubscribe, verifyUnsubscribeToken } from '#domain/mailing/unsubscribe-token.ts';
import { anonymousCaller } from '#kernel/auth/caller.ts';
import { NOT_FOUND } from '#kernel/contract/common-faults.ts';
import { type Call, group } from '#kernel/http/pipeline/group.ts';
import * as contract from './contract.ts';
import { confirmationPage, endedPage } from './unsubscribe-page.ts';

type SettingsCall = Pick<Call, 'tx' | 'caller' | 'services' | 'answer'>;

const readerOf = ({ caller }: Pick<Call, 'caller'>): store.ReaderRef => ({
  deployment: caller.deployment,
  account: caller.userId,
});

async function settingsOf(call: SettingsCall): Promise<store.StoredMailSettings> {
  const settings = await store.findMailSettings(call.tx, readerOf(call));
  if (!settings) throw new Error('A member has no settings for mail.');
  call.answer.setEtag(settings.version);
  return settings;
}

const shown = ({ told: _, version: __, ...settings }: store.StoredMailSettings, { services }: SettingsCall) => ({
  settings: { ...settings, isMailOn: services.mail.isOn },
});

/** NotificationSettingsService: what members get by mail. */
export const notificationSettings = group('NotificationSettingsService', contract, {
  getMailSettings: async (call) => shown(await settingsOf(call), call),

  updateMailSettings: async (call) => {
    const { body, tx, now, caller, answer } = call;
    const before = await settingsOf(call);
    answer.expectVersion(before.version);
    const { isSuspended, ...change } = body;
    if (isSuspended === false) await store.resumeAddress(tx, caller.deployment, before.email);
    const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
    await store.saveMailSettings(tx, readerOf(call), { ...store.changeableOf(before), ...given }, now);
    const after = await settingsOf(call);
    answer.recordEffect({
      object: 'mail-settings',
      before: store.changeableOf(before),
      after: store.changeableOf(after),
    });
    return shown(after, call);
  },

  showUnsubscribe: async ({ path, services }) => {
    const meant = verifyUnsubscribeToken(services.keys, path.token);
    if (!meant) throw NOT_FOUND();
    return confirmationPage(meant.topic);
  },

  unsubscribe: async ({ path, tx, services, answer }) => {
    const meant = verifyUnsubscribeToken(services.keys, path.token);
    if (!meant || !(await unsubscribe(tx, meant))) throw NOT_FOUND();
    answer.actor = { ...anonymousCaller, kind: 'user', userId: meant.account, deployment: meant.deployment };
    answer.recordEffect({ object: 'mail-settings', after: { unsubscribed: meant.topic } });
    return endedPage(meant.topic);
  },
});
