import { CustomEmoji } from "@parley/contracts";
import type { UserClient } from "@parley/testing";
import { pngPixel } from "./sample-files.js";

/** Adds a custom emoji to a server. */
export async function createEmoji(owner: UserClient, serverId: string, name = "king"): Promise<CustomEmoji> {
  const form = new FormData();
  form.append("name", name);
  form.append("image", new Blob([pngPixel]), `${name}.png`);
  return (await owner.send("POST", `/servers/${serverId}/emojis`, { body: form })).expect(201, CustomEmoji);
}
