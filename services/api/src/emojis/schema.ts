import { z } from "zod";

/** The form of a new emoji, for the API description; its parts are judged by `readEmojiForm`. */
export const emojiForm = z.object({
  name: z.string().meta({ pattern: "^[a-z0-9_-]{1,32}$" }),
  image: z.string().meta({ format: "binary" }),
});
