import { getRouteApi, useRouter } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { queryClient } from '#web/foundation/api/query-client.ts';
import { singleSignOn } from '#web/foundation/api/services.ts';
import { setSession } from '#web/foundation/api/session.ts';
import { lastOrgSlug } from '#web/foundation/session/org.ts';
import { ProblemView } from '#web/ui/page/view-states.tsx';
import { safePath } from './safe-path.ts';
import { WelcomeFrame } from './welcome-frame.tsx';

const route = getRouteApi('/sso/$provider');

/** Takes the answer out of the address, so that it stays out of the browser history. */
function takeParameters(): string {
  const response = sessionStorage.getItem('parapet-saml');
  sessionStorage.removeItem('parapet-saml');
  if (response !== null) return new URLSearchParams({ SAMLResponse: response }).toString();
  const parameters = location.search.slice(1);
  history.replaceState(history.state, '', location.pathname);
  return parameters;
}

/** Where an identity provider returns to: completes the sign-in, or shows what came of a test. */
export function SsoPage() {
  const { provider } = route.useParams();
  const { history: pages } = useRouter();
  const [error, setError] = useState<unknown>();
  // An answer works once.
  const isSent = useRef(false);
  useEffect(() => {
    document.title = 'Sign in · Parapet';
    if (isSent.current) return;
    isSent.current = true;
    const complete = async () => {
      const body = { providerId: provider, parameters: takeParameters() };
      const { session, next, attemptId } = await singleSignOn.completeSignIn({ body });
      if (session) {
        setSession(session);
        queryClient.clear();
        pages.replace(safePath(next));
      } else pages.replace(`/o/${lastOrgSlug() ?? ''}/settings/sign-in?attempt=${attemptId ?? ''}`);
    };
    complete().catch(setError);
  }, [provider, pages]);
  return (
    <WelcomeFrame title="Sign in">
      {error === undefined ? (
        <p role="status">Signing you in…</p>
      ) : (
        <>
          <ProblemView error={error} />
          <a href="/sign-in">Back to the sign-in page</a>
        </>
      )}
    </WelcomeFrame>
  );
}
