import { jwtSecrets } from "@parley/auth";
import type { UserService } from "../people/users/service.js";
import type { Base, Feature } from "../platform/feature.js";
import { createTellOwner } from "./account-changes/tell-owner.js";
import { expiredEmailVerifications } from "./account-mails/repository.js";
import { accountMailRoutes } from "./account-mails/routes.js";
import { createAccountMails } from "./account-mails/service.js";
import { createLoginAttempts } from "./auth/login-attempts.js";
import { expiredAddresses, expiredEndedSessions, expiredSessions, expiredSuccessors } from "./auth/repository.js";
import { createRequirePassword, type RequirePassword, withPasswordField } from "./auth/require-password.js";
import { createAccountSessions } from "./auth/sessions.js";
import { expiredEmailChanges } from "./email-changes/repository.js";
import { emailChangeRoutes } from "./email-changes/routes.js";
import { createEmailChanges } from "./email-changes/service.js";
import { createLoginOutcomes } from "./login/login-outcomes.js";
import { passkeySignInRoutes } from "./login/passkey-routes.js";
import { authRoutes } from "./login/routes.js";
import { createAuthService } from "./login/service.js";
import { createOidc } from "./oidc/create-oidc.js";
import { expiredOidcSessions, expiredSignIns, expiredUsedTokens } from "./oidc/repository.js";
import { oidcRoutes } from "./oidc/routes.js";
import { profileRoutes } from "./own-account/profile-routes.js";
import { ownAccountRoutes } from "./own-account/routes.js";
import { createOwnAccountService, type OwnAccountDeletion } from "./own-account/service.js";
import { createChallenges } from "./passkeys/challenges.js";
import { passkeyRoutes } from "./passkeys/routes.js";
import { createPasskeyService } from "./passkeys/service.js";
import { createPasskeySignIn } from "./passkeys/sign-in.js";
import { passkeySite } from "./passkeys/site.js";
import { expiredPasswordResets } from "./password-reset/repository.js";
import { passwordResetRoutes } from "./password-reset/routes.js";
import { createPasswordReset, type GiveBack } from "./password-reset/service.js";
import { createRequireProof, type Registrations } from "./registration/admission.js";
import { createRegistrationPace } from "./registration/pace.js";
import { createProofs } from "./registration/proofs.js";
import { expiredRegistrations } from "./registration/repository.js";
import { registrationRoutes } from "./registration/routes.js";
import { createRegistration } from "./registration/service.js";
import { createRequireOwner } from "./second-factor/require-owner.js";
import { secondFactorRoutes } from "./second-factor/routes.js";
import { createSecondFactor } from "./second-factor/service.js";
import { sessionRoutes } from "./sessions/routes.js";
import { createSessionService } from "./sessions/service.js";
import { createPasswordSignIn } from "./sign-in/password-sign-in.js";
import { signInRoutes } from "./sign-in/routes.js";
import { expiredFormerUsernames } from "./usernames/repository.js";
import { createChangeUsername } from "./usernames/service.js";

/**
 * Signing in, and the caller's own account.
 *
 * @param others the service of profiles, and services of domains above that accounts need
 */
export function createAccountsFeature(
  base: Base,
  {
    users,
    ...above
  }: {
    users: UserService;
    accountDeletion: OwnAccountDeletion;
    registrations: Registrations;
    giveBack: GiveBack;
  },
): Feature & { requirePassword: RequirePassword } {
  const { config, database, redis, metrics } = base;
  const sessions = createAccountSessions({ database, secret: config.JWT_SECRET });
  const attempts = createLoginAttempts(base);
  const mails = createAccountMails({ ...base, publicUrl: config.PUBLIC_URL });
  const secondFactor = createSecondFactor({ database, attempts, secrets: jwtSecrets(config) });
  const outcomes = createLoginOutcomes({ ...base, registry: metrics.registry });
  const requirePassword = createRequirePassword({ database, attempts });
  const requireOwner = createRequireOwner({ requirePassword, secondFactor });
  const tellOwner = createTellOwner(base);
  const owner = { requirePassword, requireOwner, tellOwner };
  // A passkey would outlive the account at the provider.
  const site = config.OIDC_ENFORCED ? null : passkeySite(config.PUBLIC_URL);
  const challenges = createChallenges(redis);
  const passkeys = createPasskeySignIn({ database, challenges, site });
  const field = { requirePassword: withPasswordField(requirePassword) };
  const changeUsername = createChangeUsername({ ...base, ...field, listed: config.PARLEY_ADMINS });
  const emails = createEmailChanges({ ...base, ...field, publicUrl: config.PUBLIC_URL });
  const [proofs, pace] = [createProofs({ redis, secrets: jwtSecrets(config) }), createRegistrationPace(redis)];
  const requireProof = createRequireProof({ ...above, proofs, pace });
  const registration = createRegistration({ ...base, ...above, sessions, mails, proofs, pace });
  const auth = createAuthService({ ...base, sessions, attempts, mails, secondFactor, passkeys, outcomes });
  const oidc = createOidc({ ...base, ...owner, sessions });
  const password = createPasswordSignIn({ isAllowed: !config.OIDC_ENFORCED });
  return {
    requirePassword,
    routes: [
      ...registrationRoutes(registration, { proofs, passwordSignIn: password }),
      ...authRoutes(auth, password),
      ...passkeyRoutes(createPasskeyService({ ...base, ...owner, challenges, site })),
      ...passkeySignInRoutes(auth, passkeys),
      ...signInRoutes({
        password: password.isAllowed,
        oidc: oidc === null ? null : { name: config.OIDC_NAME },
        passkeys: site !== null,
      }),
      ...oidcRoutes(oidc, password),
      ...sessionRoutes(createSessionService(base)),
      ...ownAccountRoutes(createOwnAccountService({ ...base, ...above, ...owner, sessions }), database),
      ...profileRoutes(users, changeUsername),
      ...emailChangeRoutes(emails),
      ...secondFactorRoutes({ ...owner, database, secondFactor }),
      ...accountMailRoutes(mails, { passwordSignIn: password, requireProof }),
      ...passwordResetRoutes(createPasswordReset({ ...base, ...above, tellOwner }), password),
    ],
    expiries: [
      expiredSessions,
      expiredSuccessors,
      expiredAddresses,
      expiredEndedSessions,
      expiredPasswordResets,
      expiredEmailVerifications,
      expiredEmailChanges,
      expiredSignIns,
      expiredUsedTokens,
      expiredOidcSessions,
      expiredFormerUsernames,
      expiredRegistrations,
    ],
  };
}
