import type { MessagePush } from "@parley/contracts";
import { isPictureAddress } from "@parley/contracts";
import type { Frame } from "../state/seen/seen-parts.js";
import { isGroup } from "../state/store/group-people.js";

/** The picture of a notification: of the author of a direct message, or of the server, as the page knows them. */
export function pictureOf({ server_id, channel_id }: MessagePush, frame: Frame | undefined): string {
  const direct = frame?.dmChannels.find(({ id }) => id === channel_id);
  const url =
    direct === undefined || isGroup(direct)
      ? frame?.servers.find(({ id }) => id === server_id)?.icon_url
      : direct.recipient.avatar_url;
  // It requests no picture of a foreign server, which would learn when this device is reached.
  return url != null && isPictureAddress(url) ? `/api${url}?size=128` : "/app/icon-192.png";
}
