import { ChannelCommands, errorTexts, OwnCommand } from "@parley/contracts";
import { z } from "zod";
import { inChannel } from "../../access/may.js";
import { viewing } from "../../access/needs.js";
import { identifier } from "../../platform/http/input.js";
import { ok, type Route, route, type Success } from "../../platform/http/route.js";
import { sendText } from "../../platform/http/send-list.js";
import { describedCommandsBody, listCommandsQuery, positionText, putCommandsBody } from "./schema.js";
import type { CommandService } from "./service.js";

const Commands = z.object({ commands: z.array(OwnCommand) });
// Typed as Success, because the body is written as text.
const channelCommands: Success = ok(ChannelCommands);

export function commandRoutes(commands: CommandService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/bots/@me/commands",
        name: "commands.own",
        summary: "List the calling bot's commands",
        caller: "any bot",
        success: ok(Commands),
      },
      async ({ identity }) => ({ commands: await commands.list(identity.userId) }),
    ),
    route(
      {
        method: "put",
        path: "/bots/@me/commands",
        name: "commands.replace",
        summary: "Replace the calling bot's commands",
        description:
          "The whole list. A command with the name and context of an earlier one keeps its id, and so does one with its " +
          "`former_name`. The first fault is named by its path: `commands[2].options[0].name: …`.",
        caller: "any bot",
        causes: ["COMMANDS_UPDATE"],
        body: putCommandsBody,
        describedBody: describedCommandsBody,
        success: ok(Commands),
        errors: { invalid_input: [errorTexts.commands_invalid("[2].options[0].name: …")] },
      },
      async ({ identity, body }) => ({ commands: await commands.replace(identity.userId, body.commands) }),
    ),
    route(
      {
        method: "get",
        path: "/channels/:id/commands",
        name: "commands.list",
        summary: "List what the bots of a channel can be asked to do",
        description:
          "Of bots that may view the channel, without the commands that ask for permissions that the caller lacks. An answer " +
          "has about 1 MB; `next_position` leads to the bots that follow.",
        caller: "account",
        params: z.object({ id: identifier }),
        may: inChannel(viewing),
        query: listCommandsQuery,
        success: channelCommands,
        errors: { invalid_input: [errorTexts.member_list_position_invalid] },
      },
      async ({ may, query, response }) => {
        const { bots, next } = await commands.listInChannel(await may.access(), query.position ?? null);
        const end = next === null ? "" : `,"next_position":"${positionText(next)}"`;
        sendText(response, `{"bots":[${bots.join(",")}]${end}}`);
      },
    ),
  ];
}
