import { invalidInput, isPictureAddress } from "@parley/contracts";

/**
 * The `avatar_url` or `icon_url` after a PATCH. Only an upload may set the address of an uploaded picture, so the
 * present address changes nothing, and any other is refused (docs/protocol/communities.md#28.5).
 *
 * @param refusal text of the 400
 * @returns undefined when nothing changes
 * @throws ServiceError 400 for the address of another uploaded picture
 */
export function allowedPictureUrl(
  url: string | null | undefined,
  before: string | null,
  refusal: string,
): string | null | undefined {
  if (url == null || !isPictureAddress(url)) return url;
  if (url !== before) throw invalidInput(refusal);
  return undefined;
}
