import { Blob } from "node:buffer";
import { FormData } from "undici";
import { invalidForm } from "./errors.js";

/** The type that a library writes may be a guess: the api looks at the bytes. */
const dataUri = /^data:(image\/(?:png|jpe?g|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;

/**
 * A picture that a bot sends as a data URI, as the form that the api takes.
 *
 * @param key of the body, for the error
 * @param fields text fields beside it
 */
export function pictureForm(key: string, uri: string, fields: Record<string, string> = {}): FormData {
  const [, type, data] = dataUri.exec(uri) ?? [];
  if (type === undefined || data === undefined) {
    throw invalidForm([{ path: [key], code: "IMAGE_INVALID", message: "Invalid image data" }]);
  }
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  form.append("image", new Blob([Buffer.from(data, "base64")], { type }), "image");
  return form;
}
