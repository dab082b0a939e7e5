import { AutomodConfig, AutomodLogEntry, AutomodWord, caps, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { addWordBody, updateConfigBody, wordParam } from "./schema.js";
import type { AutomodService } from "./service.js";

const params = z.object({ id: identifier });
const path = "/servers/:id/automod";
const errors = { not_found: [errorTexts.server_not_found], forbidden: [errorTexts.automod_owner_only] };

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
        success: ok(AutomodConfig),
        errors: { ...errors, not_found: [errorTexts.server_not_found, errorTexts.automod_not_configured] },
      },
      ({ identity, params }) => automod.get(identity.userId, params.id),
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
        body: updateConfigBody,
        success: ok(AutomodConfig),
        errors: {
          ...errors,
          invalid_input: [
            errorTexts.automod_action_invalid,
            errorTexts.spam_max_messages_range,
            errorTexts.spam_window_secs_range,
            errorTexts.timeout_minutes_range,
          ],
        },
      },
      ({ identity, params, body }) => automod.update(identity.userId, params.id, body),
    ),
    route(
      {
        method: "get",
        path: `${path}/words`,
        name: "automod.words",
        summary: "List filtered words, oldest first",
        caller: "account",
        params,
        success: ok(z.array(AutomodWord)),
        errors,
      },
      ({ identity, params }) => automod.listWords(identity.userId, params.id),
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
        body: addWordBody,
        success: created(AutomodWord),
        errors: {
          ...errors,
          invalid_input: [errorTexts.word_empty, errorTexts.word_length, capText(caps.words)],
        },
      },
      ({ identity, params, body }) => automod.addWord(identity.userId, params.id, body.word),
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
        success: noContent(),
        errors,
      },
      ({ identity, params }) => automod.removeWord(identity.userId, params.id, params.word),
    ),
    route(
      {
        method: "get",
        path: `${path}/logs`,
        name: "automod.log",
        summary: "List what auto-moderation did, newest first",
        caller: "account",
        params,
        success: ok(z.array(AutomodLogEntry)),
        errors,
      },
      ({ identity, params }) => automod.listLogs(identity.userId, params.id),
    ),
  ];
}
