import { errorTexts, type PictureSize, pictureHashPattern, pictureSizes } from "@parley/contracts";
import { z } from "zod";
import { sendStored } from "../../platform/files/send-stored.js";
import type { FileStorage } from "../../platform/files/storage/storage.js";
import { type Route, route } from "../../platform/http/route.js";
import type { Pictures } from "./service.js";

/** Served for a year, the longest that HTTP knows: the address is that of the bytes. */
const headers = {
  "Cache-Control": "public, max-age=31536000, immutable",
  "Content-Security-Policy": "sandbox; default-src 'none'",
};

const sizesByText = new Map<string, PictureSize>(pictureSizes.map((size) => [String(size), size]));
const query = z.object({
  size: z.enum(pictureSizes.map(String), errorTexts.picture_size_invalid).optional().meta({
    description:
      "Edge of the square in pixels, of a banner 960, 240 or 120 pixels of width; a smaller picture is not enlarged",
  }),
});

export function pictureRoutes(pictures: Pictures, storage: FileStorage): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/media/:hash",
        name: "pictures.read",
        summary: "Read an uploaded picture of somebody or of a server",
        caller: "anyone",
        unlimited: true,
        params: z.object({ hash: z.string().meta({ pattern: pictureHashPattern.source }) }),
        query,
        success: {
          status: 200,
          description: "The picture",
          schema: z.string().meta({ format: "binary" }),
          contentType: "image/webp",
        },
        errors: { invalid_input: [errorTexts.picture_size_invalid], not_found: [errorTexts.picture_not_found] },
      },
      async ({ params, query, request, response }) => {
        const file = await pictures.find(params.hash, sizesByText.get(query.size ?? "") ?? pictureSizes[0]);
        await sendStored({ request, response, storage }, { file, headers, missing: errorTexts.picture_not_found });
        return "";
      },
    ),
  ];
}
