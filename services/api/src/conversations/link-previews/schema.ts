import { errorTexts, isStorableText, urlLengthMax } from "@parley/contracts";
import { z } from "zod";

export const previewQuery = z.object({
  url: z
    .string(errorTexts.preview_url_scheme)
    .max(urlLengthMax, errorTexts.preview_url_length)
    .refine(
      (value) => /^https?:\/\//i.test(value) && URL.canParse(value) && isStorableText(value),
      errorTexts.preview_url_scheme,
    )
    .meta({ format: "uri", example: "https://example.com/article" }),
});
