import { isStorableText, urlLengthMax } from "@parley/contracts";
import { z } from "zod";
import { previewErrors } from "./error-texts.js";

export const previewQuery = z.object({
  url: z
    .string(previewErrors.scheme)
    .max(urlLengthMax, previewErrors.length)
    .refine(
      (value) => /^https?:\/\//i.test(value) && URL.canParse(value) && isStorableText(value),
      previewErrors.scheme,
    )
    .meta({ format: "uri", example: "https://example.com/article" }),
});
