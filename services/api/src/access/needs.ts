import { errorTexts, forbidden, type PermissionName, type RightName } from "@parley/contracts";
import { hasPermission, hasRight } from "@parley/permissions";
import type { ChannelAccess } from "./repository.js";

/** What a right asks of a member, and the text of the 403 without it. */
export interface Need<Access = { permissions: number; rights: number; isOwner: boolean }> {
  readonly right: string;
  readonly refusal: string;
  readonly isMet: (access: Access) => boolean;
}

/** @param refusal text of the 403 without the permission (docs/interface.md#3) */
export function permission(name: PermissionName, refusal: string): Need {
  return { right: name, refusal, isMet: ({ permissions }) => hasPermission(permissions, name) };
}

/** @param refusal text of the 403 without the right, which the owner always has (docs/interface.md#24.2) */
export function right(name: RightName, refusal: string): Need {
  return { right: name, refusal, isMet: ({ rights }) => hasRight(rights, name) };
}

/** @param refusal text of the 403 for others than the owner */
export function owner(refusal: string): Need {
  return { right: "owner", refusal, isMet: ({ isOwner }) => isOwner };
}

/** VIEW_CHANNEL, with the text that it has everywhere. */
export const viewing = permission("VIEW_CHANNEL", errorTexts.view_channel_required);

/**
 * The caller wrote what the path names, or has MANAGE_MESSAGES.
 *
 * @param refusal text of the 403
 */
export function authorOrManager(refusal: string): Need<ChannelAccess & { found: { author_id: string | null } }> {
  return {
    right: "author or MANAGE_MESSAGES",
    refusal,
    isMet: ({ userId, permissions, found }) =>
      found.author_id === userId || hasPermission(permissions, "MANAGE_MESSAGES"),
  };
}

/** A right in words. */
export function wordsOf(place: string, needs: readonly { right: string }[]): string {
  return needs.length === 0
    ? `member of the ${place}`
    : `${needs.map((need) => need.right).join(", ")} in the ${place}`;
}

/** @throws ServiceError 403 */
export function requireAll<Access>(access: Access, needs: readonly Need<Access>[]): void {
  for (const { isMet, refusal } of needs) if (!isMet(access)) throw forbidden(refusal);
}
