import { z } from "zod";
import { uuid } from "./resources/identifiers.js";

/** What an override does to VIEW_CHANNEL; "none" as well when there is no override. */
const ViewEffect = z.enum(["allow", "deny", "none"]);
export type ViewEffect = z.infer<typeof ViewEffect>;

/**
 * The former values of what an event changed of the rights to view channels; unchanged values are left out. It is a
 * header of the event: from it, a replay computes who would have received the events before
 * (docs/architecture.md#continuing).
 */
const VisibilityBefore = z.object({
  /** The role or user that it was changed for; the server when it got another owner. */
  target: uuid,
  /** Who owned the server. */
  owner: uuid.optional(),
  /** Whether the role held ADMINISTRATOR. */
  administrator: z.boolean().optional(),
  /** By channel, what the override of the role or user did. */
  overrides: z.record(uuid, ViewEffect).optional(),
  /** By role, whether the user held it. */
  roles: z.record(uuid, z.boolean()).optional(),
});
export type VisibilityBefore = z.infer<typeof VisibilityBefore>;

/** The header's text. */
export function formatVisibilityBefore(before: VisibilityBefore): string {
  return JSON.stringify(before);
}

/** Parses the header; null when it is malformed or of an unknown version. */
export function parseVisibilityBefore(text: string): VisibilityBefore | null {
  try {
    return VisibilityBefore.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
