import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notifyProblem } from '#web/foundation/notify/notify.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { PermissionGate } from '#web/ui/page/permission-gate.tsx';
import { LoadingRows, ProblemView } from '#web/ui/page/view-states.tsx';
import { StatusText } from '../../parts/status-text.tsx';
import { useSettingsSearch } from '../../parts/use-settings-search.ts';
import { AddChannel } from './add-channel.tsx';
import { type Disconnected, DisconnectedNote, DisconnectSlack } from './disconnect-slack.tsx';
import { slackAppQuery, slackInstallationQuery } from './slack-queries.ts';
import { SlackSetup } from './slack-setup.tsx';
import { slackHealth, slackStage } from './slack-status.ts';
import { useInstallSlack } from './use-install-slack.ts';
import { useSlackReturn } from './use-slack-return.ts';

/** The Slack app: its state, and how to set, install and remove it. Its channels are among the integrations. */
export function SlackPart() {
  const org = useOrg();
  const { search, update } = useSettingsSearch();
  const app = useQuery(slackAppQuery(org.id));
  const installation = useQuery(slackInstallationQuery(org.id));
  const { finishing, refusal } = useSlackReturn();
  const [isDisconnecting, setIsDisconnecting] = useState(false);
  const [disconnected, setDisconnected] = useState<Disconnected>();
  const error = app.error ?? installation.error;
  if (error)
    return <ProblemView error={error} onRetry={() => void Promise.all([app.refetch(), installation.refetch()])} />;
  if (!app.data || !installation.data) return <LoadingRows rows={2} />;
  const facts = { app: app.data, installation: installation.data };
  const { kind, text, advice } = slackHealth(facts);
  const stage = slackStage(facts);
  const isOpen = search.preset === 'slack' && org.may('credential:manage');
  const open = () => update({ preset: 'slack' });
  const close = () => update({ preset: undefined }, true);
  return (
    <section className="integration-group" aria-labelledby="slack-title">
      <header>
        <h2 id="slack-title">Slack</h2>
        <StatusText kind={kind} text={text} />
      </header>
      <div role="status">
        {finishing.isPending && <p className="settings-note">Finishing the installation…</p>}
        {finishing.data && stage === 'installed' && (
          <p className="settings-note" data-kind="good">
            Slack is connected to the workspace {finishing.data.team_name}. Add the channels that automations post to.
          </p>
        )}
        {refusal !== '' && (
          <p className="settings-note" data-kind="bad">
            {refusal}
          </p>
        )}
      </div>
      {finishing.error && <ProblemView error={finishing.error} />}
      {disconnected && stage !== 'installed' && <DisconnectedNote result={disconnected} />}
      <p className="dimmed">{advice}</p>
      <div className="integration-actions">
        {stage === 'installed' && <SlackButton label="Add a channel" onClick={open} />}
        {stage === 'app' && <InstallButton label="Install in Slack" />}
        {stage === 'installed' && kind !== 'good' && <InstallButton label="Install again" />}
        {stage !== 'installed' && (
          <SlackButton label={stage === 'new' ? 'Connect Slack' : 'Change the app'} onClick={open} />
        )}
        {stage === 'installed' && (
          <SlackButton label="Disconnect Slack" isRed onClick={() => setIsDisconnecting(true)} />
        )}
      </div>
      {isOpen && stage === 'installed' && <AddChannel onClose={close} />}
      {isOpen && stage !== 'installed' && <SlackSetup app={app.data} onClose={close} />}
      {isDisconnecting && (
        <DisconnectSlack
          teamName={installation.data.team_name}
          onDone={setDisconnected}
          onClose={() => setIsDisconnecting(false)}
        />
      )}
    </section>
  );
}

interface SlackButtonProps {
  label: string;
  isRed?: boolean;
  isBusy?: boolean;
  onClick: () => void;
}

function SlackButton({ label, isRed = false, isBusy = false, onClick }: SlackButtonProps) {
  return (
    <PermissionGate permission="credential:manage">
      {(isDisabled) => (
        <Button
          size="xs"
          variant={isRed ? 'subtle' : 'default'}
          {...(isRed && { color: 'red' })}
          disabled={isDisabled}
          loading={isBusy}
          onClick={onClick}
        >
          {label}
        </Button>
      )}
    </PermissionGate>
  );
}

function InstallButton({ label }: { label: string }) {
  const installing = useInstallSlack({ onError: notifyProblem });
  return <SlackButton label={label} isBusy={installing.isPending} onClick={() => installing.mutate()} />;
}
