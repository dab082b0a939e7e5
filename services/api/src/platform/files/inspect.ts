import { attachmentBytesMax, attachmentTypes, errorTexts, invalidInput } from "@parley/contracts";
import { detectType } from "./detect-type.js";
import { type Dimensions, readDimensions } from "./image-dimensions.js";
import { Utf8Check } from "./utf8-check.js";

/** First bytes of a file, which contain its signature and, behind EXIF data and colour profiles, an image's size. */
const headBytes = 256 * 1024;

/** Type and size of a file, as far as its first bytes show. */
export interface InspectedFile {
  /** Known when all bytes have passed. */
  readonly mimeType: () => string;
  readonly dimensions: Dimensions | null;
  /** All bytes of the file, judged as they pass: ends with a 400 at the one that breaks a rule. */
  readonly content: AsyncIterable<Uint8Array>;
  /** Bytes that have passed. */
  readonly size: () => number;
}

const allowedTypes = new Set<string>(attachmentTypes);

const textType = "text/plain";
/** Bytes of a kind that nobody knows. */
const unknownType = "application/octet-stream";

/** Whether browsers may show a file in place, by its type: pictures, videos and sounds of the kinds that are listed. */
export const isShownInPlace = (type: string): boolean => allowedTypes.has(type) && /^(image|video|audio)\//.test(type);

/**
 * Judges a file by its bytes (docs/protocol/messages.md#7.6) without holding more of it than its head.
 *
 * @param source read to its end by the reader of `content`
 * @param takesEveryKind whether the installation takes files of types that are not listed
 * @throws ServiceError 400 for an empty file and for a type that is refused
 */
export async function inspect(
  source: AsyncIterable<Uint8Array>,
  takesEveryKind: () => Promise<boolean>,
): Promise<InspectedFile> {
  const chunks = source[Symbol.asyncIterator]();
  const head = await readHead(chunks);
  if (head.length === 0) throw invalidInput(errorTexts.file_empty);
  const detected = await detectType(head);
  if (detected !== null && !allowedTypes.has(detected) && !(await takesEveryKind()))
    throw invalidInput(errorTexts.file_type_not_allowed(detected));
  let size = 0;
  let text = detected === null ? new Utf8Check() : null;
  let mimeType = detected ?? textType;
  const requireText = async (isText: boolean | undefined) => {
    if (isText !== false) return;
    if (!(await takesEveryKind())) throw invalidInput(errorTexts.file_type_unknown);
    [text, mimeType] = [null, unknownType];
  };

  async function* pass(): AsyncGenerator<Uint8Array> {
    for (let chunk: Uint8Array | undefined = head; chunk !== undefined; chunk = await nextOf(chunks)) {
      size += chunk.length;
      if (size > attachmentBytesMax) throw invalidInput(errorTexts.file_too_large(attachmentBytesMax / 1024 / 1024));
      await requireText(text?.add(chunk));
      yield chunk;
    }
    await requireText(text?.end());
  }

  return {
    mimeType: () => mimeType,
    dimensions: detected?.startsWith("image/") ? readDimensions(head) : null,
    content: pass(),
    size: () => size,
  };
}

async function readHead(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  const read: Uint8Array[] = [];
  for (let length = 0; length < headBytes; ) {
    const chunk = await nextOf(chunks);
    if (chunk === undefined) break;
    read.push(chunk);
    length += chunk.length;
  }
  return Buffer.concat(read);
}

async function nextOf(chunks: AsyncIterator<Uint8Array>): Promise<Uint8Array | undefined> {
  const { done, value } = await chunks.next();
  return done === true ? undefined : value;
}
