import type { InvitePreview } from "@parley/client";

const prefix = "parley.invite.";

/**
 * The server that an invite led to, or was made for, on this device; null for another one. What the API shows of an
 * invite does not have the id of its server.
 */
export const serverOfInvite = (code: string): string | null => localStorage.getItem(prefix + code);

/** Stores the server of an invite. */
export const keepServerOf = (code: string, serverId: string): void => localStorage.setItem(prefix + code, serverId);

/** Whether a server looks like that of an invite, which does not have its id. */
export const isServerOf =
  ({ server_name, server_icon_url }: InvitePreview) =>
  ({ name, icon_url }: { name: string; icon_url: string | null }): boolean =>
    name === server_name && icon_url === server_icon_url;
