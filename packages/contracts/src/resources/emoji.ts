import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** A custom emoji of a server (docs/protocol/objects.md#4.15). */
export const CustomEmoji = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string().meta({ pattern: "^[a-z0-9_-]{1,32}$", example: "checkmate" }),
    url: z.string().meta({ example: "/api/emojis/0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60" }),
    content_type: z.string().meta({ example: "image/png" }),
    file_size: z.int().meta({ minimum: 1, maximum: 262_144, example: 5_120 }),
    created_by: uuid.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "CustomEmoji" });
export type CustomEmoji = z.infer<typeof CustomEmoji>;
