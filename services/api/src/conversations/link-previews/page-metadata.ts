import { LinkPreview } from "@parley/contracts";
import type { z } from "zod";

/** Metadata of a page, without its address. */
export const PageMetadata = LinkPreview.omit({ url: true });
export type PageMetadata = z.infer<typeof PageMetadata>;
