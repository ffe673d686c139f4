import { Page } from '#web/ui/page/page.tsx';
import { PasswordPart } from './password-part.tsx';
import { SecondFactorPart } from './second-factor-part.tsx';
import { SessionsPart } from './sessions-part.tsx';
import './account.css';

/** The account of the user: password, second factor and sessions. */
export function AccountSection() {
  return (
    <Page title="Your account">
      <PasswordPart />
      <SecondFactorPart />
      <SessionsPart />
    </Page>
  );
}
