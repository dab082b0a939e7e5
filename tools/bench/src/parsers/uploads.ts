import { gzipSync } from "node:zlib";
import { insertIds } from "../world.js";
import { chunked, exchange, type HostileInput, requestBytes } from "./hostile-input.js";
import type { ParserWorld } from "./world.js";

/** First bytes of a file, which are read for its type and size. */
const headBytes = 256 * 1024;
const mebibyte = 1024 * 1024;
const boundary = "bench";

/** Bytes that begin as given and repeat others. */
function filled(start: string | readonly number[], unit: readonly number[], bytes = headBytes): Buffer {
  const all = Buffer.alloc(bytes, Buffer.from(unit));
  (typeof start === "string" ? Buffer.from(start, "latin1") : Buffer.from(start)).copy(all);
  return all;
}

/** The same block again and again, behind a start. */
function blocks(start: string, block: Buffer): Buffer {
  const count = Math.floor((headBytes - start.length) / block.length);
  return Buffer.concat([Buffer.from(start, "latin1"), ...Array.from({ length: count }, () => block)]);
}

const webm = [0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d];
const zipEntry = Buffer.concat([
  Buffer.from("PK\x03\x04", "latin1"),
  Buffer.alloc(22),
  Buffer.from([1, 0, 0, 0, 0x61]),
]);

const files: Readonly<Record<string, Buffer>> = {
  "WebM, elements nested 131,000 times": filled(webm, [0xae, 0xff]),
  "WebM, segments in segments": filled(webm, [0x18, 0x53, 0x80, 0x67, 0xff]),
  "WebM of the smallest elements": filled(webm, [0xec, 0x80]),
  "WebM, tracks of the smallest elements": filled(
    [...webm, 0x18, 0x53, 0x80, 0x67, 0xff, 0x16, 0x54, 0xae, 0x6b, 0xff],
    [0xae, 0x80],
  ),
  "JPEG of the smallest segments": blocks("\xff\xd8", Buffer.from([0xff, 0xe1, 0, 2])),
  "JPEG without segments": filled("\xff\xd8\xff\xe0\0\x04", [0]),
  "JPEG, EXIF with entries only": blocks("\xff\xd8", exifSegment()),
  "PNG of empty chunks": blocks(
    "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0\0\0\0\0",
    Buffer.from("\0\0\0\0tEXt\0\0\0\0", "latin1"),
  ),
  "GIF of zeros": filled("GIF89a", [0]),
  "WebP of zeros": filled("RIFF\xff\xff\0\0WEBPVP8X", [0]),
  "MP4 of empty boxes": blocks("\0\0\0\x10ftypisom\0\0\0\0", Buffer.from([0, 0, 0, 8, 0x66, 0x72, 0x65, 0x65])),
  "ID3 tags in a row": blocks("ID3\x03\0\0\0\0\0\0", Buffer.from("ID3\x03\0\0\0\0\0\0", "latin1")),
  "zip of empty entries": blocks("", zipEntry),
  "gzip of 100 MB": gzipSync(Buffer.alloc(100 * mebibyte)),
  "Ogg pages": blocks("", Buffer.from("OggS\0\x02".padEnd(27, "\0"), "latin1")),
  "text of continuation bytes": filled("text", [0xc3, 0xa9], 8 * mebibyte),
};

/** An EXIF segment of 64 KB whose directory has nothing but entries of no meaning. */
function exifSegment(): Buffer {
  const segment = Buffer.alloc(65_535 + 2, 0x01);
  segment.set([0xff, 0xe1, 0xff, 0xff]);
  segment.write("Exif\0\0MM\0*\0\0\0\x08\xff\xff", 4, "latin1");
  return segment;
}

export function uploadInputs(world: ParserWorld): HostileInput[] {
  const inspected = Object.entries(files).map(([input, file]) =>
    upload(world, "first bytes of a file", input, partsOf([{ content: file }]), { counts: file.length }),
  );
  return [...inspected, ...forms(world)];
}

function forms(world: ParserWorld): HostileInput[] {
  const form = (input: string, body: Buffer, usedBoundary = boundary) =>
    upload(world, "multipart", input, body, { usedBoundary });
  const text = partsOf([{ content: Buffer.alloc(mebibyte / 4, "a") }]);
  const repetitive = "a".repeat(8_000);
  return [
    upload(world, "multipart", "chunks of one byte", text, { encode: chunked }),
    form("a boundary of 8,000 letters, beside 1 MB of the same", Buffer.alloc(mebibyte, "a"), repetitive),
    form("beginnings of boundaries", Buffer.from(`--${boundary}\r\n\r\n${"\r\n--benc".repeat(mebibyte / 8)}`)),
    form("line ends", Buffer.from(`--${boundary}\r\n\r\n${"\r\n".repeat(mebibyte / 2)}`)),
    form("100,000 parts", partsOf(Array.from({ length: 100_000 }, () => ({ content: Buffer.from("a") })))),
    form(
      "99 parts with 2,000 fields each",
      partsOf(Array.from({ length: 99 }, () => ({ fields: "a:b\r\n".repeat(2_000), content: Buffer.from("a") }))),
    ),
    form(
      "99 parts with a field of 15 KB",
      partsOf(
        Array.from({ length: 99 }, () => ({ fields: `a:${" ".repeat(15_000)}b\r\n`, content: Buffer.from("a") })),
      ),
    ),
    ...[`"${"\\\\".repeat(7_000)}"`, "=?utf-8?q?".repeat(1_500), `"${"../".repeat(5_000)}"`].map((name) =>
      form(`a filename ${name.slice(0, 10)} …`, partsOf([{ filename: name, content: Buffer.from("text") }])),
    ),
    form(
      "a filename* of escapes",
      partsOf([{ filename: `a; filename*=utf-8''${"%e9".repeat(4_800)}`, content: Buffer.from("text") }]),
    ),
    form(
      "filename*0 to filename*900",
      partsOf([
        {
          filename: `a${Array.from({ length: 900 }, (_, n) => `; filename*${n}=b`).join("")}`,
          content: Buffer.from("text"),
        },
      ]),
    ),
  ];
}

interface Part {
  filename?: string;
  fields?: string;
  content: Buffer;
}

function partsOf(parts: readonly Part[]): Buffer {
  const bytes = parts.flatMap(({ filename = "a", fields = "", content }) => [
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name=files; filename=${filename}\r\n${fields}\r\n`),
    content,
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat([...bytes, Buffer.from(`--${boundary}--\r\n`)]);
}

/** Each to a message of its own, because a message has few attachments. */
function upload(
  { services, headers, pool, room }: ParserWorld,
  parser: string,
  input: string,
  body: Buffer,
  {
    usedBoundary = boundary,
    counts = body.length,
    encode = requestBytes,
  }: { usedBoundary?: string; counts?: number; encode?: typeof chunked },
): HostileInput {
  return {
    parser,
    input,
    service: "api",
    bytes: counts,
    async send() {
      const [id] = await insertIds(
        pool,
        "INSERT INTO messages (channel_id, server_id, author_id, content) VALUES ($1, $2, $3, 'a') RETURNING id",
        room.channelId,
        room.serverId,
        room.userIds[0],
      );
      const type = { "content-type": `multipart/form-data; boundary=${usedBoundary}` };
      return exchange(services.api, encode(`POST /messages/${id}/attachments`, { ...headers, ...type }, body));
    },
  };
}
