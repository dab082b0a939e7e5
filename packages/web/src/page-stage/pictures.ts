import type { Attachment } from "@parley/client";
import { onTestFinished } from "vitest";
import { commands } from "vitest/browser";
import { madeAt, newId } from "./fixtures.js";

/** A picture of a size, as PNG in Base64. */
function drawPicture(width: number, height: number): string {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d");
  context?.fillRect(0, 0, width / 2, height);
  return canvas.toDataURL("image/png").replace("data:image/png;base64,", "");
}

/** How large the pictures of messages are. */
export const pictureSize = { width: 1280, height: 800 };

/** The files of all messages are a picture that does not come before it is released. */
export async function holdPictures(): Promise<{ release: () => Promise<void> }> {
  await commands.holdFiles(drawPicture(pictureSize.width, pictureSize.height));
  onTestFinished(() => commands.forgetFiles());
  return { release: () => commands.releaseFiles() };
}

/** A picture of a message. */
export const picture = (message_id: string, filename: string): Attachment => ({
  ...{ id: newId(), message_id, filename, mime_type: "image/png", file_size: 4000, ...pictureSize },
  ...{ url: `/files/${message_id}/${filename}`, created_at: madeAt },
});
