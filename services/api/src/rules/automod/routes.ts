import { AutomodConfig, AutomodLogEntry, AutomodWord, caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { ofServer } from "../../access/may.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { manageAutomod } from "./access.js";
import { addWordBody, updateConfigBody, wordParam } from "./schema.js";
import type { AutomodService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/automod";
const may = ofServer(manageAutomod);

export function automodRoutes(automod: AutomodService): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "automod.get",
        summary: "Get a server's auto-moderation",
        caller: "account",
        params,
        may,
        success: ok(AutomodConfig),
        errors: { not_found: [errorTexts.automod_not_configured] },
      },
      async ({ may }) => automod.get((await may.access()).serverId),
    ),
    route(
      {
        method: "patch",
        path,
        name: "automod.update",
        summary: "Change a server's auto-moderation, or create it with defaults",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        may,
        body: updateConfigBody,
        success: ok(AutomodConfig),
        errors: {
          invalid_input: [
            errorTexts.automod_action_invalid,
            errorTexts.spam_max_messages_range,
            errorTexts.spam_window_secs_range,
            errorTexts.timeout_minutes_range,
          ],
        },
      },
      ({ may, body }) => automod.update(may, body),
    ),
    route(
      {
        method: "get",
        path: `${path}/words`,
        name: "automod.words",
        summary: "List filtered words, oldest first",
        caller: "account",
        params,
        may,
        success: ok(z.array(AutomodWord)),
      },
      async ({ may }) => automod.listWords((await may.access()).serverId),
    ),
    route(
      {
        method: "post",
        path: `${path}/words`,
        name: "automod.addWord",
        summary: "Filter a word",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params,
        may,
        body: addWordBody,
        success: created(AutomodWord),
        errors: {
          invalid_input: [errorTexts.word_empty, errorTexts.word_length, capText(caps.words)],
        },
      },
      ({ may, body }) => automod.addWord(may, body.word),
    ),
    route(
      {
        method: "delete",
        path: `${path}/words/:word`,
        name: "automod.deleteWord",
        summary: "Filter a word no longer",
        caller: "account",
        causes: ["SERVER_SETTINGS_UPDATE"],
        params: params.extend({ word: wordParam }),
        may,
        success: noContent(),
      },
      ({ may, params }) => automod.removeWord(may, params.word),
    ),
    route(
      {
        method: "get",
        path: `${path}/logs`,
        name: "automod.log",
        summary: "List what auto-moderation did, newest first",
        caller: "account",
        params,
        may,
        success: ok(z.array(AutomodLogEntry)),
      },
      async ({ may }) => automod.listLogs((await may.access()).serverId),
    ),
  ];
}
