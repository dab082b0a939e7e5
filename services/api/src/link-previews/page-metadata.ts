import { LinkPreview } from "@parley/contracts";
import type { z } from "zod";

/** What a page says about itself. */
export const PageMetadata = LinkPreview.omit({ url: true });
export type PageMetadata = z.infer<typeof PageMetadata>;
