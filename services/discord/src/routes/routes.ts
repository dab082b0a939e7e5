import type { Route } from "../rest/route.js";
import { applicationRoutes } from "./applications.js";
import { auditLogRoutes } from "./audit-log.js";
import { banRoutes } from "./bans.js";
import { channelRoutes } from "./channels.js";
import { commandRoutes } from "./commands.js";
import { emojiRoutes } from "./emojis.js";
import { eventRoutes } from "./events.js";
import { gatewayRoutes } from "./gateway.js";
import { guildRoutes } from "./guilds.js";
import { interactionRoutes } from "./interactions.js";
import { inviteRoutes } from "./invites.js";
import { memberRoutes } from "./members.js";
import { messageRoutes } from "./messages.js";
import { pollRoutes } from "./polls.js";
import { reactionRoutes } from "./reactions.js";
import { roleRoutes } from "./roles.js";
import { searchRoutes } from "./search.js";
import { threadRoutes } from "./threads.js";
import { userRoutes } from "./users.js";
import { voiceRoutes } from "./voice.js";
import { webhookRoutes } from "./webhooks.js";

/** Every route of Discord's API that is served (docs/discord.md#rest). */
export const routes: readonly Route[] = [
  // The most frequent come first: each request is compared with one route after the other.
  ...interactionRoutes,
  ...gatewayRoutes,
  ...userRoutes,
  ...applicationRoutes,
  ...guildRoutes,
  ...channelRoutes,
  ...roleRoutes,
  ...memberRoutes,
  ...banRoutes,
  ...messageRoutes,
  ...reactionRoutes,
  ...searchRoutes,
  ...threadRoutes,
  ...pollRoutes,
  ...commandRoutes,
  ...webhookRoutes,
  ...emojiRoutes,
  ...inviteRoutes,
  ...auditLogRoutes,
  ...eventRoutes,
  ...voiceRoutes,
];
