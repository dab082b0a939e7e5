import { errorTexts, LinkPreview } from "@parley/contracts";
import { ok, type Route, route } from "../../platform/http/route.js";
import { untilLeft } from "../../platform/http/until-left.js";
import { previewQuery } from "./schema.js";
import type { LinkPreviewService } from "./service.js";

export function linkPreviewRoutes(previews: LinkPreviewService): Route[] {
  return [
    route(
      {
        method: "get",
        path: "/link-preview",
        name: "linkPreviews.get",
        summary: "Preview a page",
        description: "Kept for 24 hours.",
        caller: "account",
        query: previewQuery,
        success: ok(LinkPreview),
        errors: {
          invalid_input: [
            errorTexts.preview_url_scheme,
            errorTexts.preview_url_length,
            errorTexts.preview_address_refused,
            errorTexts.preview_too_large,
            errorTexts.preview_failed,
          ],
        },
      },
      ({ identity, query, response }) => previews.preview(identity.userId, query.url, untilLeft(response)),
    ),
  ];
}
