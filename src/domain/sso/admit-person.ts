import { z } from 'zod';
import * as people from '#domain/accounts/store.ts';
import { lock } from '#domain/deployments/store.ts';
import { enrollMember } from '#domain/teams/enrollment.ts';
import { RowCount } from '#kernel/db/query/row-schemas.ts';
import type { Tx } from '#kernel/db/tx.ts';
import { type GroupRule, type MappedAccess, mapGroups, roleAfterSignIn } from './group-mapping.ts';
import { domainOf, type VerifiedIdentity } from './identity-claims.ts';
import type { SignInProvider } from './sign-in-provider.ts';
import { SsoRefusal } from './sso-refusal.ts';

const Link = z.object({ account: z.string(), mappedRole: z.string().optional(), mappedTeamIds: z.array(z.string()) });
const Standing = z.object({
  isServerAdministrator: z.boolean(),
  hasSecondFactor: z.boolean(),
  role: z.string().optional(),
});
const Domain = z.object({ domain: z.string() });

export interface Admittance {
  provider: SignInProvider;
  identity: VerifiedIdentity;
  rules: readonly GroupRule[];
  /** The signed-in person who links the identity to their account, instead of finding the account by its address. */
  linkTo?: string | undefined;
}

/** What a sign-in does, worked out before anything is written. */
export interface SignInPlan {
  /** The account that exists; undefined if one is created. */
  account: people.Account | undefined;
  isLinked: boolean;
  isMember: boolean;
  role: string;
  mapped: MappedAccess;
  link: z.output<typeof Link> | undefined;
}

/** The domains whose people a provider signs in: proved ones, and only that of the provider if it has one. */
async function listDomains(tx: Tx, { deployment, emailDomain }: SignInProvider): Promise<string[]> {
  const rows = await tx.all(Domain)`
    select domain from deployment_domain
    where deployment_id = ${deployment} and proved_at is not null and (${emailDomain} in ('', domain))`;
  return rows.map(({ domain }) => domain);
}

/** Decides who a verified identity is, and what they may do; refuses those who may not sign in. */
export async function planSignIn(tx: Tx, { provider, identity, rules, linkTo }: Admittance): Promise<SignInPlan> {
  const { deployment } = provider;
  const domain = domainOf(identity.email);
  if (!(await listDomains(tx, provider)).includes(domain))
    throw new SsoRefusal('domain_proved', `The domain ${domain} is not proved for this provider.`);
  const link = await findLink(tx, provider, identity);
  if (!link && !identity.isEmailVerified)
    throw new SsoRefusal(
      'email_verified',
      'The claim `email_verified` is not true. If the provider verifies every address, say so in its settings.',
    );
  const account = await findAccount(tx, { link, linkTo, identity });
  if (account?.disabled_at || account?.deleted_at)
    throw new SsoRefusal('account_open', `The account ${account.email} is disabled.`);
  const standing = account && (await findStanding(tx, deployment, account.id));
  if (account && !link && linkTo === undefined) refuseForeign(account, identity, standing);
  const mapped = mapGroups(rules, identity.groups);
  const role = roleAfterSignIn({
    mapped: mapped.role,
    current: standing?.role,
    previouslyMapped: link?.mappedRole,
  });
  return { account, isLinked: link !== undefined, isMember: standing?.role !== undefined, role, mapped, link };
}

/**
 * An address finds an account once. It never finds the account of an operator, who would lose the server with it, nor
 * one with a second factor, which a provider of one organization would otherwise bypass for all of them.
 */
function refuseForeign(
  account: people.Account,
  identity: VerifiedIdentity,
  standing: z.output<typeof Standing> | undefined,
): void {
  if (people.emailKey(account.email) !== people.emailKey(identity.email))
    throw new SsoRefusal('account_linked', 'The address of the account is another one.');
  const whatToDo = standing?.isServerAdministrator
    ? 'administers the server: sign in with the password and link the account in the settings.'
    : 'has a second factor: sign in with the password, remove it, and use single sign-on once before adding it again.';
  if (standing?.isServerAdministrator || standing?.hasSecondFactor)
    throw new SsoRefusal('account_linked', `${account.email} ${whatToDo}`);
}

async function findAccount(
  tx: Tx,
  {
    link,
    linkTo,
    identity,
  }: { link: { account: string } | undefined; linkTo: string | undefined; identity: VerifiedIdentity },
): Promise<people.Account | undefined> {
  if (link && linkTo !== undefined && link.account !== linkTo)
    throw new SsoRefusal('account_linked', 'This identity is linked to another account.');
  const id = link?.account ?? linkTo;
  return id === undefined ? people.findByEmail(tx, identity.email) : people.find(tx, id);
}

const findLink = (tx: Tx, { deployment, id }: SignInProvider, { issuer, subject }: VerifiedIdentity) =>
  tx.one(Link)`
    select account_id as account, mapped_role as "mappedRole", mapped_team_ids::text[] as "mappedTeamIds"
    from sso_identity
    where deployment_id = ${deployment} and provider_id = ${id} and issuer = ${issuer} and subject = ${subject}`;

const findStanding = (tx: Tx, deployment: string, account: string) =>
  tx.one(Standing)`
    select is_server_administrator as "isServerAdministrator",
           exists (select from account_totp where account_id = account.id and confirmed_at is not null)
             as "hasSecondFactor",
           (select role from membership where deployment_id = ${deployment} and account_id = ${account}) as role
    from account where id = ${account}`;

export interface AdmittedPerson {
  account: people.Account;
  role: string;
  teamIds: string[];
}

/** Carries the plan out: the account, its membership, its link, and the role and teams of its groups. */
export async function admitPerson(tx: Tx, admittance: Admittance): Promise<AdmittedPerson> {
  const { provider, identity } = admittance;
  const { deployment } = provider;
  // Two sign-ins of one new person must not both create the account, and roles change under the lock of the deployment.
  await people.lockEmail(tx, identity.email);
  await lock(tx, deployment);
  const plan = await planSignIn(tx, admittance);
  const { mapped } = plan;
  const id =
    plan.account?.id ?? (await people.insert(tx, { email: identity.email, name: identity.name, passwordHash: null }));
  const member = { deployment, account: id };
  if (!plan.isMember) await enrollMember(tx, { ...member, role: plan.role });
  const role = plan.isMember ? await changeRole(tx, member, plan.role) : plan.role;
  await changeTeams(tx, member, { before: plan.link?.mappedTeamIds ?? [], after: mapped.teamIds });
  await tx.run`
    insert into sso_identity (deployment_id, provider_id, issuer, subject, account_id, mapped_role, mapped_team_ids)
    values (${deployment}, ${provider.id}, ${identity.issuer}, ${identity.subject}, ${id}, ${mapped.role ?? null},
            ${mapped.teamIds}::bigint[])
    on conflict (deployment_id, provider_id, issuer, subject)
    do update set mapped_role = excluded.mapped_role, mapped_team_ids = excluded.mapped_team_ids`;
  const account = plan.account ?? (await people.find(tx, id));
  if (!account) throw new Error('The account of a new person was not inserted.');
  return { account, role, teamIds: mapped.teamIds };
}

interface MemberRef {
  deployment: string;
  account: string;
}

/** Changes the role, except that of the last administrator. The deployment is locked. */
async function changeRole(tx: Tx, { deployment, account }: MemberRef, role: string): Promise<string> {
  const others = await tx.one(RowCount)`
    select count(*) as count from membership
    where deployment_id = ${deployment} and role = 'ORG_ROLE_ADMIN' and account_id <> ${account}`;
  const isKept = role !== 'ORG_ROLE_ADMIN' && (others?.count ?? 0) === 0;
  if (isKept) return 'ORG_ROLE_ADMIN';
  await tx.run`
    update membership set role = ${role}, changed_at = now()
    where deployment_id = ${deployment} and account_id = ${account} and role <> ${role}`;
  return role;
}

/** Leaves the teams that a group gave before and no longer gives, and joins those that it gives. */
async function changeTeams(
  tx: Tx,
  { deployment, account }: MemberRef,
  { before, after }: { before: readonly string[]; after: readonly string[] },
): Promise<void> {
  const left = before.filter((team) => !after.includes(team));
  await tx.run`
    delete from team_member
    where deployment_id = ${deployment} and account_id = ${account} and team_id = any(${left}::bigint[])`;
  await tx.run`
    insert into team_member (deployment_id, team_id, account_id, role)
    select deployment_id, id, ${account}, 'TEAM_ROLE_MEMBER' from team
    where deployment_id = ${deployment} and id = any(${[...after]}::bigint[])
    on conflict do nothing`;
}
