import type { FileUrls } from "@parley/auth";
import { errorTexts, isHttpUrl, notFound, timestamp, urlLengthMax } from "@parley/contracts";
import type { Request } from "express";
import { z } from "zod";
import { addressOf } from "../../platform/http/rate-limits.js";
import { ok, type Route, route } from "../../platform/http/route.js";
import { untilLeft } from "../../platform/http/until-left.js";
import { pictureTtlSeconds } from "./limits.js";
import type { EmbedPictures } from "./service.js";

const query = z.object({
  url: z.string().catch("").meta({ description: "Address of the picture, as in `proxy_url`" }),
  sig: z.string().optional().catch(undefined).meta({ description: "As in `proxy_url`" }),
  key: z.string().optional().catch(undefined).meta({ description: "Instead of `sig`: of `GET /embed-pictures/key`" }),
});
const PictureKey = z.object({ key: z.string(), expires_at: timestamp }).meta({ id: "PictureKey" });

export function embedPictureRoutes(pictures: EmbedPictures, urls: FileUrls): Route[] {
  const isSigned = (request: Request) => {
    const { url, sig = "", key = "" } = query.parse(request.query);
    return urls.verifyPicture(url, sig) || (isWebAddress(url) && urls.verifyPictureKey(key));
  };
  return [
    route(
      {
        method: "get",
        path: "/embed-pictures",
        name: "embeds.picture",
        tag: "messages",
        summary: "Read the picture of an embed through this instance",
        description:
          "The address is the `proxy_url` of the picture, or has a `key` that is valid for every picture. PNG, JPEG, WebP and GIF of at most 8 MB, from public addresses, " +
          "kept for 24 hours.",
        caller: "anyone",
        unlimited: isSigned,
        attempts: { sig: "unguessable", key: "unguessable" },
        query,
        success: {
          status: 200,
          description: "The picture",
          schema: z.string().meta({ format: "binary" }),
          contentType: "image/*",
        },
        errors: { not_found: [errorTexts.picture_not_found] },
      },
      async ({ query: { url }, request, response }) => {
        if (!isSigned(request)) throw notFound(errorTexts.picture_not_found);
        const { type, bytes } = await pictures.find(addressOf(request), url, untilLeft(response));
        request.state.unreadAnswers.requireRoom(request, bytes.length);
        response.writeHead(200, {
          "Content-Type": type,
          "Content-Length": bytes.length,
          "Cache-Control": `public, max-age=${pictureTtlSeconds}`,
          "Content-Security-Policy": "sandbox; default-src 'none'",
        });
        response.end(bytes);
        return "";
      },
    ),
    route(
      {
        method: "get",
        path: "/embed-pictures/key",
        name: "embeds.pictureKey",
        tag: "messages",
        summary: "Get the key that reads pictures of others' servers through this instance",
        description:
          "For pictures without a `proxy_url`: `avatar_url`, `icon_url`, `preview_url` of GIFs. Valid for a day or two.",
        caller: "account",
        success: ok(PictureKey),
      },
      async () => {
        const { key, endsAt } = urls.pictureKey();
        return { key, expires_at: endsAt.toISOString() };
      },
    ),
  ];
}

/** Whether a URL may be an `avatar_url`; the page requests no others. */
const isWebAddress = (url: string): boolean => url.length <= urlLengthMax && isHttpUrl(url);
