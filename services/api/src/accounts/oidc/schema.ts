import { errorTexts, text, timestamp } from "@parley/contracts";
import { z } from "zod";

export const startQuery = z.object({
  to: z.unknown().optional().meta({
    type: "string",
    description: "Path of the application that a sign-in leads on to; anything else is left out",
  }),
  format: z
    .unknown()
    .optional()
    .meta({
      type: "string",
      enum: ["json"],
      description: "With `json` the address comes in the body, for pages that go there themselves",
    }),
});

export const codeBody = z.object({ code: text({ min: 1, max: 256, message: errorTexts.sign_in_code_length }) });

/** Where the browser goes on. */
export const Address = z.object({ url: z.string() });

export const Connection = z.object({ connected_at: timestamp.nullable() });

/** As the provider sends it: a form, whose token is checked by itself. */
export const logoutBody = z.object({ logout_token: z.string() });
