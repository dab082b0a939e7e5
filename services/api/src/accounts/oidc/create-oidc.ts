import { jwtSecrets } from "@parley/auth";
import type { RedisConnection } from "@parley/redis";
import type { Config } from "../../config.js";
import { createAttemptCounts } from "../../platform/load/attempt-counts.js";
import { oidcOf } from "../../platform/settings/oidc.js";
import type { TellOwner } from "../account-changes/tell-owner.js";
import type { RequirePassword } from "../auth/require-password.js";
import { createAttempts } from "./attempts.js";
import { failedLogoutsMax, failedLogoutWindowMs } from "./limits.js";
import { createLinks } from "./links.js";
import { createBackChannelLogout } from "./logout.js";
import { createProvider } from "./provider.js";
import type { OidcSurface } from "./routes.js";
import { createOidcService, type OidcParts } from "./service.js";

type Parts = Omit<OidcParts, "attempts" | "provider" | "oidc"> & {
  config: Config;
  redis: RedisConnection;
  requirePassword: RequirePassword;
  tellOwner: TellOwner;
};

/** Single sign-on; null where it is not configured. */
export function createOidc({ config, redis, requirePassword, tellOwner, ...parts }: Parts): OidcSurface | null {
  const oidc = oidcOf(config);
  if (oidc === null) return null;
  const provider = createProvider({ oidc, logger: parts.logger });
  const isSecure = oidc.publicUrl.startsWith("https:");
  const attempts = createAttempts({ secrets: jwtSecrets(config), isSecure });
  const counts = { redis, name: "oidc-logout", limits: [failedLogoutsMax], windowMs: failedLogoutWindowMs };
  return {
    attempts,
    service: createOidcService({ ...parts, attempts, provider, oidc }),
    links: createLinks({ database: parts.database, outbox: parts.outbox, attempts, requirePassword, tellOwner }),
    logout: createBackChannelLogout({ outbox: parts.outbox, provider, attempts: createAttemptCounts(counts) }),
  };
}
