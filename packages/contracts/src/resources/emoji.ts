import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** A custom emoji of a server (docs/interface.md#4.15). */
export const CustomEmoji = z
  .object({
    id: uuid,
    server_id: uuid,
    name: z.string(),
    url: z.string(),
    content_type: z.string(),
    file_size: z.int(),
    created_by: uuid,
    created_at: timestamp,
  })
  .meta({ id: "CustomEmoji" });
export type CustomEmoji = z.infer<typeof CustomEmoji>;
