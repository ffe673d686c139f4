import { useMutation } from '@tanstack/react-query';
import { slack } from '#web/foundation/api/services.ts';
import { useOrg } from '#web/foundation/session/org.ts';
import { safeUrl } from '#web/ui/text/safe-url.ts';

/** Goes to Slack, which asks for the permission to install the app and returns to the page of the integrations. */
export function useInstallSlack(options: { onError?: (error: unknown) => void } = {}) {
  const { id: deploymentId } = useOrg();
  return useMutation({
    ...options,
    mutationFn: async () => {
      const { redirect_url: address } = await slack.installSlackApp({ path: { deploymentId } });
      const url = safeUrl(address);
      if (url === undefined) throw new Error(`The address of Slack cannot be opened: ${address}`);
      location.assign(url);
    },
  });
}
