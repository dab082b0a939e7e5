import { invalidInput, isPictureAddress } from "@parley/contracts";

/**
 * What a PATCH changes an `avatar_url` or `icon_url` to. The address of an uploaded picture names what only an upload may
 * set, so the one that is set changes nothing, and any other is refused (docs/interface.md#28.5).
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
