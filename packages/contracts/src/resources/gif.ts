import { z } from "zod";

/** A picture that a search of GIFs found (docs/protocol/communities.md#18.3). */
export const Gif = z
  .object({
    url: z.string().meta({ example: "https://media.giphy.com/media/x/giphy.gif" }),
    preview_url: z.string().meta({ example: "https://media.giphy.com/media/x/200w.gif" }),
    title: z.string().meta({ example: "Checkmate" }),
    width: z.int().meta({ minimum: 0, example: 480 }),
    height: z.int().meta({ minimum: 0, example: 270 }),
  })
  .meta({ id: "Gif" });
export type Gif = z.infer<typeof Gif>;
