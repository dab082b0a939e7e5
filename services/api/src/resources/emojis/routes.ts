import { CustomEmoji } from "@parley/contracts";
import { z } from "zod";
import { accessErrors } from "../../access/error-texts.js";
import { sendStored } from "../../files/send-stored.js";
import { identifier } from "../../http/input.js";
import { invalidMultipart, openMultipart } from "../../http/multipart.js";
import { created, noContent, ok, type Route, route } from "../../http/route.js";
import type { FileStorage } from "../../storage/storage.js";
import { formErrors } from "./form.js";
import { emojiFormBytesMax } from "./limits.js";
import { type EmojiService, emojiNotFound, needAdministrator, tooManyEmojis } from "./service.js";

/** The form of a new emoji, for the API description; its parts are judged by `readEmojiForm`. */
const emojiForm = z.object({
  name: z.string().meta({ pattern: "^[a-z0-9_-]{1,32}$" }),
  image: z.string().meta({ format: "binary" }),
});

const serverParams = z.object({ server_id: identifier });
const path = "/servers/:server_id/emojis";
const serverNotFound = [accessErrors.serverNotFound];

export function emojiRoutes(emojis: EmojiService, storage: FileStorage): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        tag: "emojis",
        summary: "List the custom emoji of a server, oldest first",
        caller: "account",
        params: serverParams,
        success: ok(z.array(CustomEmoji)),
        errors: { not_found: serverNotFound },
      },
      ({ identity, params }) => emojis.list(identity.userId, params.server_id),
    ),
    route(
      {
        method: "post",
        path,
        tag: "emojis",
        summary: "Create a custom emoji",
        description: "The type of the image is decided by its bytes: JPEG, PNG, GIF and WebP are accepted.",
        caller: "account",
        params: serverParams,
        body: emojiForm,
        bodyContentType: "multipart/form-data",
        success: created(CustomEmoji),
        errors: {
          invalid_input: [
            ...Object.values(formErrors),
            "An emoji named '<name>' already exists in this server",
            tooManyEmojis,
            invalidMultipart,
          ],
          not_found: serverNotFound,
          forbidden: [needAdministrator],
        },
      },
      ({ identity, params, request }) =>
        emojis.create(identity.userId, params.server_id, openMultipart(request, { bytesMax: emojiFormBytesMax })),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:emoji_id`,
        tag: "emojis",
        summary: "Delete a custom emoji",
        caller: "account",
        params: serverParams.extend({ emoji_id: identifier }),
        success: noContent(),
        errors: { not_found: [...serverNotFound, emojiNotFound], forbidden: [needAdministrator] },
      },
      ({ identity, params }) => emojis.delete(identity.userId, params),
    ),
    route(
      {
        method: "get",
        path: "/emojis/:emoji_id",
        tag: "emojis",
        summary: "Read the image of a custom emoji",
        caller: "anyone",
        unlimited: true,
        params: z.object({ emoji_id: identifier }),
        success: {
          status: 200,
          description: "The image",
          schema: z.string().meta({ format: "binary" }),
          contentType: "image/*",
        },
        errors: { not_found: [emojiNotFound] },
      },
      async ({ params, request, response }) => {
        await sendStored(
          { request, response, storage },
          {
            file: await emojis.find(params.emoji_id),
            headers: { "Cache-Control": "public, max-age=86400" },
            missing: emojiNotFound,
          },
        );
        return "";
      },
    ),
  ];
}
