import type { InvitePreview } from "@parley/client";

/** Whether a server looks like that of an invite, which does not have its id. */
export const isServerOf =
  ({ server_name, server_icon_url }: InvitePreview) =>
  ({ name, icon_url }: { name: string; icon_url: string | null }): boolean =>
    name === server_name && icon_url === server_icon_url;
