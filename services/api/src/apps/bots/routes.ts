import { Bot, BotLogEntry, BotProfile, caps, errorTexts } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { createMissingRoutes, type RedisConnection } from "@parley/redis";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, none, ok, type Route, route } from "../../platform/http/route.js";
import { readBotLog } from "./log.js";
import { itself, mayRevoke, ownBot } from "./may.js";
import { BotWithToken, ChangedBot, toBot } from "./resource.js";
import { createBotBody, updateBotBody, updateOwnBotBody } from "./schema.js";
import type { BotService } from "./service.js";

const path = "/bots/:id";
const params = z.object({ id: identifier });
const inputErrors = [errorTexts.bot_name_length, errorTexts.bot_name_alphanumeric, errorTexts.bot_description_length];

export function botRoutes(
  bots: BotService,
  { database, redis }: { database: Database; redis: RedisConnection },
): Route[] {
  const missing = createMissingRoutes({ redis });
  return [
    route(
      {
        method: "post",
        path: "/bots",
        name: "bots.create",
        summary: "Create a bot; its token is shown only here",
        caller: "bot owner",
        causes: none("bots are listed to their creator alone, who reads them again"),
        body: createBotBody,
        success: created(BotWithToken),
        errors: { invalid_input: [...inputErrors, capText(caps.bots), capText(caps.botsEver)] },
      },
      ({ identity, body }) => bots.create(identity.userId, body),
    ),
    route(
      {
        method: "get",
        path: "/bots",
        name: "bots.list",
        summary: "List the caller's bots, oldest first",
        caller: "bot owner",
        success: ok(z.object({ bots: z.array(Bot) })),
      },
      async ({ identity }) => ({ bots: await bots.list(identity.userId) }),
    ),
    route(
      {
        method: "get",
        path,
        name: "bots.get",
        summary: "Get a bot",
        caller: "bot owner",
        params,
        may: ownBot,
        success: ok(Bot),
      },
      async ({ may }) => toBot(await may.access()),
    ),
    route(
      {
        method: "get",
        path: "/bots/:id/profile",
        name: "bots.profile",
        summary: "Get what anybody may see of a public bot; its creator also of one that is not",
        caller: "account",
        params,
        success: ok(BotProfile),
        errors: { not_found: [errorTexts.bot_not_found] },
      },
      ({ identity, params }) => bots.profile(identity.userId, params.id),
    ),
    route(
      {
        method: "patch",
        path: "/bots/@me",
        name: "bots.updateOwn",
        summary: "Update the calling bot",
        caller: "any bot",
        causes: none("bots are listed to their creator alone, who reads them again"),
        may: itself,
        body: updateOwnBotBody,
        success: ok(ChangedBot),
        errors: { invalid_input: [...inputErrors, errorTexts.interactions_url_invalid, errorTexts.bot_revoked] },
      },
      ({ may, body }) => bots.update(may, body),
    ),
    route(
      {
        method: "patch",
        path,
        name: "bots.update",
        summary: "Update a bot",
        caller: "bot owner",
        causes: none("bots are listed to their creator alone, who reads them again"),
        params,
        may: ownBot,
        body: updateBotBody,
        success: ok(ChangedBot),
        errors: {
          invalid_input: [
            ...inputErrors,
            errorTexts.is_public_not_boolean,
            errorTexts.requested_permissions_range,
            errorTexts.interactions_url_invalid,
            errorTexts.bot_revoked,
          ],
        },
      },
      ({ may, body }) => bots.update(may, body),
    ),
    route(
      {
        method: "delete",
        path,
        name: "bots.revoke",
        summary: "Revoke a bot for good",
        caller: "bot owner",
        causes: ["COMMANDS_UPDATE"],
        params,
        may: mayRevoke,
        success: noContent(),
      },
      ({ may }) => bots.revoke(may),
    ),
    route(
      {
        method: "get",
        path: "/bots/:id/logs",
        name: "bots.log",
        summary: "Read a bot's log, newest first",
        caller: "bot owner",
        params,
        may: ownBot,
        success: ok(z.object({ logs: z.array(BotLogEntry) })),
      },
      async ({ may }) => ({ logs: await readBotLog(database, missing, await may.access()) }),
    ),
    route(
      {
        method: "post",
        path: "/bots/:id/token/regenerate",
        name: "bots.regenerateToken",
        summary: "Replace a bot's token; the new one is shown only here",
        caller: "bot owner",
        causes: none("only the bot's credential changes; its connections end"),
        params,
        may: ownBot,
        success: ok(BotWithToken),
        errors: { invalid_input: [errorTexts.bot_revoked_for_good] },
      },
      ({ may }) => bots.regenerateToken(may),
    ),
    route(
      {
        method: "post",
        path: "/bots/connect",
        name: "bots.connect",
        summary: "Exchange a bot's static token for an access token of 15 minutes",
        caller: "bot",
        causes: none("it gives out a token"),
        success: ok(z.object({ access_token: z.string() })),
      },
      async ({ identity }) => bots.connect(identity),
    ),
  ];
}
