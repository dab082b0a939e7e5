import type { AccessTokens } from "@parley/auth";
import type { Database } from "@parley/database";
import type { Messaging } from "@parley/messaging";
import type { Outbox } from "@parley/outbox";
import { createTokenBucket, type RedisConnection } from "@parley/redis";
import { loginAttempts } from "./auth/limits.js";
import { authRoutes } from "./auth/routes.js";
import { createAuthService } from "./auth/service.js";
import { createSessions } from "./auth/sessions.js";
import { channelRoutes } from "./channels/routes.js";
import { createChannelService } from "./channels/service.js";
import type { Config } from "./config.js";
import type { Route } from "./http/route.js";
import { memberRoutes } from "./members/routes.js";
import { createMemberService } from "./members/service.js";
import { messageRoutes } from "./messages/routes.js";
import { createMessageService } from "./messages/service.js";
import { MessageWriter } from "./messages/writer.js";
import { readStateRoutes } from "./read-state/routes.js";
import { createReadStateService } from "./read-state/service.js";
import { serverRoutes } from "./servers/routes.js";
import { createServerService } from "./servers/service.js";
import { userRoutes } from "./users/routes.js";
import { createUserService } from "./users/service.js";

/** What the resources stand on. */
export interface Foundations {
  config: Config;
  database: Database;
  redis: RedisConnection;
  messaging: Messaging;
  outbox: Outbox;
  accessTokens: AccessTokens;
}

/** Every resource of the API; removing one means deleting its folder and its line here. */
export function createResources({ config, database, redis, messaging, outbox, accessTokens }: Foundations): Route[] {
  const sessions = createSessions({ database, secret: config.JWT_SECRET });
  const attempts = createTokenBucket({ redis, name: "login", ...loginAttempts });
  const writer = new MessageWriter({ database });
  return [
    ...authRoutes(createAuthService({ database, sessions, accessTokens, attempts })),
    ...userRoutes(createUserService({ database, messaging })),
    ...serverRoutes(createServerService({ database, outbox })),
    ...memberRoutes(createMemberService({ database })),
    ...channelRoutes(createChannelService({ database })),
    ...messageRoutes(createMessageService({ database, outbox, writer })),
    ...readStateRoutes(createReadStateService({ database })),
  ];
}
