import { errorTexts, forbidden, type PermissionName, type RightName } from "@parley/contracts";
import { hasPermission, hasRight } from "@parley/permissions";

/** A condition that a right sets a member, and the text of the 403 without it. */
export interface Need<in Access = { permissions: number; rights: number; isOwner: boolean }> {
  readonly right: string;
  readonly refusal: string;
  readonly isMet: (access: Access) => boolean;
  /** Whether the access meets it by a right to moderate, for which a server may demand a second factor; absent: never. */
  readonly moderates?: ((access: Access) => boolean) | undefined;
}

const always = () => true;
/** Permissions and rights that moderate (docs/protocol/accounts.md#34.9). */
const isModerating = (name: PermissionName) =>
  /^MANAGE_/.test(name) || ["MUTE_MEMBERS", "KICK_MEMBERS", "BAN_MEMBERS", "ADMINISTRATOR"].includes(name);
const ofEverybody: readonly RightName[] = ["mention_everyone", "use_apps"];

/** @param refusal text of the 403 without the permission (docs/protocol/permissions.md#3) */
export function permission(name: PermissionName, refusal: string): Need<{ permissions: number }> {
  const moderates = isModerating(name) ? always : undefined;
  return { right: name, refusal, isMet: ({ permissions }) => hasPermission(permissions, name), moderates };
}

/** @param refusal text of the 403 without the right, which the owner always has (docs/protocol/permissions.md#24.2) */
export function right(name: RightName, refusal: string): Need<{ rights: number }> {
  const moderates = ofEverybody.includes(name) ? undefined : always;
  return { right: name, refusal, isMet: ({ rights }) => hasRight(rights, name), moderates };
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
    moderates: (access) => !own.isMet(access),
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
  needs: readonly { right: string; refusal: string; moderates?: unknown }[],
  missing: readonly string[],
): { right: string; errors: { not_found: readonly string[]; forbidden: readonly string[] } } {
  const words = needs.map(({ right }) => right).join(", ");
  return {
    right: needs.length === 0 ? `member of the ${place}` : `${words} in the ${place}`,
    errors: {
      not_found: missing,
      forbidden: [
        ...needs.map(({ refusal }) => refusal),
        ...(needs.some(({ moderates }) => moderates !== undefined) ? [errorTexts.second_factor_to_moderate] : []),
      ],
    },
  };
}

/** @throws ServiceError 403 */
export function requireAll<Access>(access: Access, needs: readonly Need<NoInfer<Access>>[]): void {
  for (const { isMet, refusal } of needs) if (!isMet(access)) throw forbidden(refusal);
}
