/** An invite that a text contains. */
export interface FoundInvite {
  /** As it stands in the text. */
  link: string;
  code: string;
}

/** The text before the code in links of this product and of others. */
const markers = ["/invite/", "discord.gg/"];
const codeAt = /[\w-]{2,100}/y;
const hostLengthMax = 300;
const invitesMax = 20;

/** Finds links to invites, with and without a scheme, of any installation. */
export function findInvites(text: string): FoundInvite[] {
  const visible = text.replace(/\p{Cf}/gu, "");
  const lower = visible.toLowerCase();
  const found: FoundInvite[] = [];
  for (const marker of markers) {
    for (let at = lower.indexOf(marker); at >= 0 && found.length < invitesMax; at = lower.indexOf(marker, at + 1)) {
      codeAt.lastIndex = at + marker.length;
      const [code] = codeAt.exec(visible) ?? [];
      const [before = ""] = /[^\s<>()[\]"'`]*$/.exec(visible.slice(Math.max(0, at - hostLengthMax), at)) ?? [];
      // A path alone links to nothing.
      const isLink = marker !== "/invite/" || /[\p{L}\p{N}]/u.test(before);
      if (code !== undefined && isLink) found.push({ link: before + visible.slice(at, codeAt.lastIndex), code });
    }
  }
  return found;
}
