import { createEvent, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { folders } from "../../platform/files/storage/keys.js";
import { identifier } from "../../platform/http/input.js";
import { eventOf, type Kind, type MessagePath } from "../core/kind.js";
import { directRouting, requireDirectMessage, requireMayWrite } from "./participants.js";
import type { FoundDirectMessage } from "./participants-repository.js";

const path: MessagePath<FoundDirectMessage> = {
  path: "/dm-messages/:id",
  params: z.object({ id: identifier }),
  missing: [errorTexts.message_not_found],
  find: (connection, userId, { id }: { id: string }) => requireDirectMessage(connection, id, userId),
};

/** Direct messages, those in groups included. */
export const directKind: Kind<FoundDirectMessage> = {
  name: "direct",
  paths: { attachments: path },
  hidden: [],
  orderOf: ({ channel_id }) => ({ dm_channel_id: channel_id }),
  eventsOf({ row, audience }, name, payload) {
    const routing = directRouting(audience, row.channel_id);
    return audience.participants.map((user_id) =>
      createEvent(eventOf(directKind, name), { user_id }, payload, routing),
    );
  },
  requireMayWrite: (connection, userId, { audience }) => requireMayWrite(connection, userId, audience),
  attaching: {
    folder: folders.directAttachments,
    forbidden: [errorTexts.cannot_message_user],
    requireMay: () => undefined,
  },
};
