import { RawBody } from "./api.js";
import { invalidForm } from "./errors.js";

const dataUri = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/=\s]+)$/;
const boundary = "parley-picture-form";

/**
 * A picture that a bot sends as a data URI, as the form that the api takes.
 *
 * @param key of the body, for the error
 * @param fields text fields beside it
 */
export function pictureForm(key: string, uri: string, fields: Record<string, string> = {}): RawBody {
  const [, type, data] = dataUri.exec(uri) ?? [];
  if (type === undefined || data === undefined) {
    throw invalidForm([{ path: [key], code: "IMAGE_INVALID", message: "Invalid image data" }]);
  }
  const texts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="image"; filename="image"\r\nContent-Type: ${type}\r\n\r\n`;
  const bytes = Buffer.concat([
    Buffer.from(texts.join("") + head),
    Buffer.from(data, "base64"),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return new RawBody(`multipart/form-data; boundary=${boundary}`, bytes);
}
