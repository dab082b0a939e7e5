import { z } from "zod";

const file = z.string().meta({ format: "binary" });

/** The form of an upload, for the API description; the bytes are judged as they arrive. */
export const uploadForm = z.object({
  files: z.array(file).meta({ description: "One part per file; `file` is accepted as the name, too" }),
});
