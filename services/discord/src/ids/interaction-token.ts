/** How an interaction's token and id are written as one, so that follow-ups, whose address has the token alone, find it. */
const pattern = /^([0-9a-f]{64})([\w-]{22})$/;

/** The token of an interaction for bots: 86 of `A–Z a–z 0–9 _ -` (docs/discord.md#rules). @param id UUID */
export const interactionToken = (id: string, token: string): string =>
  `${token}${Buffer.from(id.replaceAll("-", ""), "hex").toString("base64url")}`;

/** The UUID and the api's token in a token; null for one of another kind. */
export function readInteractionToken(text: string): { id: string; token: string } | null {
  const [, token, packed] = pattern.exec(text) ?? [];
  if (token === undefined || packed === undefined) return null;
  const hex = Buffer.from(packed, "base64url").toString("hex");
  const id = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return { id, token };
}
