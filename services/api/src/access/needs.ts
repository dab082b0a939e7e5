import { errorTexts, forbidden, type PermissionName, type RightName } from "@parley/contracts";
import { hasPermission, hasRight } from "@parley/permissions";

/** A condition that a right sets a member, and the text of the 403 without it. */
export interface Need<in Access = { permissions: number; rights: number; isOwner: boolean }> {
  readonly right: string;
  readonly refusal: string;
  readonly isMet: (access: Access) => boolean;
}

/** @param refusal text of the 403 without the permission (docs/protocol/permissions.md#3) */
export function permission(name: PermissionName, refusal: string): Need<{ permissions: number }> {
  return { right: name, refusal, isMet: ({ permissions }) => hasPermission(permissions, name) };
}

/** @param refusal text of the 403 without the right, which the owner always has (docs/protocol/permissions.md#24.2) */
export function right(name: RightName, refusal: string): Need<{ rights: number }> {
  return { right: name, refusal, isMet: ({ rights }) => hasRight(rights, name) };
}

/** @param refusal text of the 403 for others than the owner */
export function owner(refusal: string): Need<{ isOwner: boolean }> {
  return { right: "owner", refusal, isMet: ({ isOwner }) => isOwner };
}

/** VIEW_CHANNEL, with the text that it has everywhere. */
export const viewing = permission("VIEW_CHANNEL", errorTexts.view_channel_required);

/** SEND_MESSAGES, with the text that it has everywhere. */
export const sending = permission("SEND_MESSAGES", errorTexts.send_messages_required);

/** Something that was written, and the caller. */
interface Authorship {
  userId: string;
  found: { author_id: string | null };
}

/** The caller wrote the item of the path. @param refusal text of the 403 */
export function author(refusal: string): Need<Authorship> {
  return { right: "author", refusal, isMet: ({ userId, found }) => found.author_id === userId };
}

/** The same, or the caller has MANAGE_MESSAGES. @param refusal text of the 403 */
export function authorOrManager(refusal: string): Need<Authorship & { permissions: number }> {
  const [own, managing] = [author(refusal), permission("MANAGE_MESSAGES", refusal)];
  return {
    right: `${own.right} or ${managing.right}`,
    refusal,
    isMet: (access) => own.isMet(access) || managing.isMet(access),
  };
}

/**
 * The declaration of a right: its words, and its errors.
 *
 * @param place the kind of place that the right belongs to
 * @param missing texts of the 404s
 */
export function declare(
  place: string,
  needs: readonly { right: string; refusal: string }[],
  missing: readonly string[],
): { right: string; errors: { not_found: readonly string[]; forbidden: readonly string[] } } {
  const words = needs.map(({ right }) => right).join(", ");
  return {
    right: needs.length === 0 ? `member of the ${place}` : `${words} in the ${place}`,
    errors: { not_found: missing, forbidden: needs.map(({ refusal }) => refusal) },
  };
}

/** @throws ServiceError 403 */
export function requireAll<Access>(access: Access, needs: readonly Need<NoInfer<Access>>[]): void {
  for (const { isMet, refusal } of needs) if (!isMet(access)) throw forbidden(refusal);
}
