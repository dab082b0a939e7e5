import type { Invite } from "@parley/contracts";

/** How long and how often an invite holds, in Discord's words: 0 for any. */
export const inviteLimits = ({ uses, max_uses, expires_at, created_at }: Invite) => ({
  uses,
  max_uses: max_uses ?? 0,
  max_age: expires_at === null ? 0 : Math.round((Date.parse(expires_at) - Date.parse(created_at)) / 1_000),
});
