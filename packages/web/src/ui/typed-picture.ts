import { isPictureAddress } from "@parley/contracts";
import { textOrNull } from "./form.js";

/** What stands in the field for the web address of a picture: of an uploaded one nothing. */
export const addressTyped = (url: string | null): string => (url === null || isPictureAddress(url) ? "" : url);

/** The picture in a form's changes, unless the field is as it was: an uploaded picture stays when something else is saved. */
export function typedPicture<Field extends "avatar_url" | "icon_url">(
  form: FormData,
  field: Field,
  before: string | null,
): { [Name in Field]?: string | null } {
  const typed = textOrNull(form, field);
  if ((typed ?? "") === addressTyped(before)) return {};
  const changes: { [Name in "avatar_url" | "icon_url"]?: string | null } = { [field]: typed };
  return changes;
}
