import { z } from "zod";

/** Metadata of a page behind a link (docs/protocol/communities.md#18.3). */
export const LinkPreview = z
  .object({
    url: z.string().meta({ description: "As it was asked for", example: "https://example.com/article" }),
    title: z.string().nullable().meta({ maxLength: 300, example: "How to open with the queen's pawn" }),
    description: z.string().nullable().meta({ maxLength: 1000 }),
    image: z.string().nullable().meta({ maxLength: 2048, example: "https://example.com/board.png" }),
    site_name: z.string().nullable().meta({ maxLength: 100, example: "Example" }),
  })
  .meta({ id: "LinkPreview" });
export type LinkPreview = z.infer<typeof LinkPreview>;
