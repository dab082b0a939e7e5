import { z } from "zod";
import { timestamp, uuid } from "./identifiers.js";

/** A file attached to a message; `url` is signed and relative to the API base (docs/protocol/objects.md#4.14). */
export const Attachment = z
  .object({
    id: uuid,
    message_id: uuid,
    filename: z.string().meta({ minLength: 1, maxLength: 255, example: "board.png" }),
    file_size: z.int().meta({ minimum: 1, maximum: 52_428_800, example: 48_211 }),
    mime_type: z.string().meta({ example: "image/png" }),
    url: z.string().meta({
      description: "Signed for 24 hours; relative to the API's base",
      example: "/files/0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60/0f3c_board.png?exp=1767348245&sig=5ab1",
    }),
    thumbnail_url: z.string().optional().meta({
      description: "Of a picture over 200 KB, once it is made: WebP of at most 800 pixels, signed as `url`",
      example: "/files/0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60/0f3c_board.png?exp=1767348245&sig=5ab1&thumbnail=true",
    }),
    width: z.int().nullable().meta({ example: 640 }),
    height: z.int().nullable().meta({ example: 480 }),
    created_at: timestamp,
  })
  .meta({ id: "Attachment" });
export type Attachment = z.infer<typeof Attachment>;
