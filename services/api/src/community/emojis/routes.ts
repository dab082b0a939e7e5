import { CustomEmoji, errorTexts } from "@parley/contracts";
import { z } from "zod";
import { inServer } from "../../access/may.js";
import { sendStored } from "../../platform/files/send-stored.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { identifier } from "../../platform/http/input.js";
import { openMultipart } from "../../platform/http/multipart.js";
import { created, noContent, ok, type Route, route } from "../../platform/http/route.js";
import { customEmojiBytesMax, emojisMax } from "./limits.js";
import { type EmojiService, manageEmojis, namedEmoji } from "./service.js";

/**
 * Largest body of an emoji's form: the api skips longer files instead of storing them, so a user may choose a large one
 * by mistake.
 */
const emojiFormBytesMax = 64 * 1024 * 1024;

/** The form of a new emoji, for the API description; its parts are judged by `readEmojiForm`. */
const emojiForm = z.object({
  name: z.string().meta({ pattern: "^[a-z0-9_-]{1,32}$" }),
  image: z.string().meta({ format: "binary" }),
});

const serverParams = z.object({ server_id: identifier });
const path = "/servers/:server_id/emojis";

export function emojiRoutes(emojis: EmojiService, storage: FileStorage): Route[] {
  return [
    route(
      {
        method: "get",
        path,
        name: "emojis.list",
        summary: "List the custom emoji of a server, oldest first",
        caller: "account",
        params: serverParams,
        may: inServer(),
        success: ok(z.array(CustomEmoji)),
      },
      async ({ may }) => emojis.list(await may.access()),
    ),
    route(
      {
        method: "post",
        path,
        name: "emojis.create",
        summary: "Create a custom emoji",
        description: "The type of the image is decided by its bytes: JPEG, PNG, GIF and WebP are accepted.",
        caller: "account",
        causes: ["CUSTOM_EMOJI_CREATE"],
        params: serverParams,
        may: inServer(manageEmojis),
        body: emojiForm,
        bodyContentType: "multipart/form-data",
        bodyBytes: { "multipart/form-data": emojiFormBytesMax },
        success: created(CustomEmoji),
        errors: {
          invalid_input: [
            errorTexts.emoji_name_required,
            errorTexts.emoji_image_required,
            errorTexts.emoji_name_invalid,
            errorTexts.emoji_image_empty,
            errorTexts.emoji_image_too_large(customEmojiBytesMax / 1024),
            errorTexts.emoji_image_type,
            errorTexts.storage_quota_exceeded,
            errorTexts.emoji_name_taken("<name>"),
            errorTexts.emojis_limit_reached(emojisMax),
            errorTexts.invalid_multipart,
          ],
        },
      },
      ({ may, request }) => emojis.create(may, openMultipart(request, { bytesMax: emojiFormBytesMax })),
    ),
    route(
      {
        method: "delete",
        path: `${path}/:emoji_id`,
        name: "emojis.delete",
        summary: "Delete a custom emoji",
        caller: "account",
        causes: ["CUSTOM_EMOJI_DELETE"],
        params: serverParams.extend({ emoji_id: identifier }),
        may: inServer(manageEmojis, namedEmoji),
        success: noContent(),
      },
      ({ may, params }) => emojis.delete(may, params),
    ),
    route(
      {
        method: "get",
        path: "/emojis/:emoji_id",
        name: "emojis.read",
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
        errors: { not_found: [errorTexts.emoji_not_found] },
      },
      async ({ params, request, response }) => {
        await sendStored(
          { request, response, storage },
          {
            file: await emojis.find(params.emoji_id),
            headers: { "Cache-Control": "public, max-age=86400" },
            missing: errorTexts.emoji_not_found,
          },
        );
        return "";
      },
    ),
  ];
}
