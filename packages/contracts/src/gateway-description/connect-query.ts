import { z } from "zod";
import { clientEventNames } from "../events.js";
import { position, presenceModes } from "../gateway.js";

/** The query of the upgrade request (docs/interface.md#14.1). */
export const ConnectQuery = z.object({
  token: z
    .string()
    .optional()
    .meta({ description: "Access token of a user, or a bot's JWT; it decides over `bot_token`" }),
  bot_token: z.string().optional().meta({ description: "Static token of a bot" }),
  s: z
    .union([z.literal(""), position])
    .optional()
    .meta({ description: "Empty: number the connection. A position: continue from it", examples: [""] }),
  presence: z
    .enum(presenceModes)
    .optional()
    .meta({ description: "`subscribed`: PRESENCE_UPDATE of named users and DM partners only; `none`: of nobody" }),
  events: z
    .string()
    .optional()
    .meta({
      description: `Comma list of the events that are sent; READY and RESUMED always are. Names: ${clientEventNames.join(", ")}`,
      example: "MESSAGE_CREATE,MESSAGE_UPDATE",
    }),
  shard: z
    .string()
    .optional()
    .meta({
      pattern: "^\\d+/\\d+$",
      description:
        "`i/n`, 0 ≤ i < n ≤ 1024: only servers with CRC-32 (ISO-HDLC) of the lower-case server id modulo n = i; " +
        "direct messages and other events of the user go to shard 0",
      example: "0/4",
    }),
});
