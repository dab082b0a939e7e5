import { caps, errorTexts, SavedPage } from "@parley/contracts";
import { z } from "zod";
import { capText } from "../../access/caps.js";
import { identifier } from "../../platform/http/input.js";
import { noContent, ok, type Route, route } from "../../platform/http/route.js";
import { mayReadAny } from "../any-message/find.js";
import { saveBody, savedQuery } from "./schema.js";
import type { SavedMessages } from "./service.js";

const path = "/users/@me/saved/:message_id";
const params = z.object({ message_id: identifier });

export function savedRoutes(saved: SavedMessages): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/users/@me/saved",
        name: "saved.list",
        summary: "List the messages that one keeps, the one saved last first",
        description:
          "Those that the caller may read now; the others come back with the right. `before` is the id of a message that " +
          "is saved.",
        caller: "account",
        query: savedQuery,
        success: ok(SavedPage),
        errors: { invalid_input: [errorTexts.limit_not_integer, errorTexts.before_invalid] },
      },
      ({ identity, query }) => saved.list(identity.userId, query),
    ),
    route(
      {
        method: "put",
        path,
        name: "saved.add",
        summary: "Keep a message of a channel or a direct message for later",
        caller: "account",
        causes: ["SAVED_UPDATE"],
        params,
        may: mayReadAny,
        body: saveBody,
        success: noContent("Saved, or saved already"),
        errors: { invalid_input: [errorTexts.save_note_length, capText(caps.savedMessages)] },
      },
      ({ may, body }) => saved.save(may, body.note),
    ),
    route(
      {
        method: "delete",
        path,
        name: "saved.remove",
        summary: "Keep a message no longer",
        caller: "account",
        causes: ["SAVED_UPDATE"],
        params,
        success: noContent("Not saved, or so already"),
      },
      ({ identity, params }) => saved.remove(identity.userId, params.message_id),
    ),
  ];
}
