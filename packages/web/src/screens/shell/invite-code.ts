/** The invite code of a pasted text, which is a code or a link that ends with one; else null. */
export function inviteCodeOf(text: string): string | null {
  return /(?:^|\/)([A-Za-z0-9]{8}|[a-z0-9-]{3,32})\/?$/.exec(text.trim())?.[1] ?? null;
}

/** The URL of an invite's page. */
export const inviteLink = (code: string): string => `${location.origin}/app/invite/${code}`;
