/** The code in what somebody pasted: a code, or a link that ends with one; null when it is neither. */
export function inviteCodeOf(text: string): string | null {
  return /(?:^|\/)([A-Za-z0-9]{8})\/?$/.exec(text.trim())?.[1] ?? null;
}

/** The link that leads to an invite. */
export const inviteLink = (code: string): string => `${location.origin}/app/invite/${code}`;
