import { jwtSecrets } from "@parley/auth";
import type { Base, Feature } from "../platform/feature.js";
import { createTellOwner } from "./account-changes/tell-owner.js";
import { expiredEmailVerifications } from "./account-mails/repository.js";
import { accountMailRoutes } from "./account-mails/routes.js";
import { createAccountMails } from "./account-mails/service.js";
import { createLoginAttempts } from "./auth/login-attempts.js";
import { expiredAddresses, expiredEndedSessions, expiredSessions, expiredSuccessors } from "./auth/repository.js";
import { createRequirePassword, type RequirePassword } from "./auth/require-password.js";
import { createAccountSessions } from "./auth/sessions.js";
import { createLoginOutcomes } from "./login/login-outcomes.js";
import { passkeySignInRoutes } from "./login/passkey-routes.js";
import { authRoutes } from "./login/routes.js";
import { createAuthService, type Registrations } from "./login/service.js";
import { createOidc } from "./oidc/create-oidc.js";
import { expiredOidcSessions, expiredSignIns, expiredUsedTokens } from "./oidc/repository.js";
import { oidcRoutes } from "./oidc/routes.js";
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
import { createRequireOwner } from "./second-factor/require-owner.js";
import { secondFactorRoutes } from "./second-factor/routes.js";
import { createSecondFactor } from "./second-factor/service.js";
import { sessionRoutes } from "./sessions/routes.js";
import { createSessionService } from "./sessions/service.js";
import { createPasswordSignIn } from "./sign-in/password-sign-in.js";
import { signInRoutes } from "./sign-in/routes.js";

/**
 * Signing in, and the caller's own account.
 *
 * @param above services of domains above that accounts need
 */
export function createAccountsFeature(
  base: Base,
  above: { accountDeletion: OwnAccountDeletion; registrations: Registrations; giveBack: GiveBack },
): Feature & { requirePassword: RequirePassword } {
  const { config, database, redis, metrics } = base;
  const sessions = createAccountSessions({ database, secret: config.JWT_SECRET });
  const attempts = createLoginAttempts(base);
  const mails = createAccountMails(base);
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
  const auth = createAuthService({ ...base, ...above, sessions, attempts, mails, secondFactor, passkeys, outcomes });
  const oidc = createOidc({ ...base, ...owner, sessions });
  const password = createPasswordSignIn({ isAllowed: !config.OIDC_ENFORCED });
  return {
    requirePassword,
    routes: [
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
      ...secondFactorRoutes({ ...owner, database, secondFactor }),
      ...accountMailRoutes(mails, password),
      ...passwordResetRoutes(createPasswordReset({ ...base, ...above, tellOwner }), password),
    ],
    expiries: [
      expiredSessions,
      expiredSuccessors,
      expiredAddresses,
      expiredEndedSessions,
      expiredPasswordResets,
      expiredEmailVerifications,
      expiredSignIns,
      expiredUsedTokens,
      expiredOidcSessions,
    ],
  };
}
