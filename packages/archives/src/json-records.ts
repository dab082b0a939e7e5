import type { Readable } from "node:stream";
import { type Archive, ArchiveError } from "./archive.js";
import { storableValue } from "./clean-text.js";
import { shown } from "./open/entries.js";

/** Bytes of a record or line (section 32.1). */
export const maxRecordBytes = 16 * 1024 * 1024;

/** Objects and arrays in each other (section 32.1). */
export const maxDepth = 100;

/** A value of a JSON file that is read as a stream. */
export interface JsonRecord {
  /** The name of the member of the file's object; null where the file is an array. */
  key: string | null;
  /** The place in the member's array, from 1; null for a member that is no array. */
  place: number | null;
  value: unknown;
}

const [tab, lineFeed, carriageReturn, space] = [0x09, 0x0a, 0x0d, 0x20];
const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

type Expected =
  | "root"
  | "value or end"
  | "value"
  | "comma or end"
  | "key or end"
  | "key"
  | "colon"
  | "member"
  | "nothing";

/** One value, from its first byte to its last, over the borders of chunks. */
class Value {
  readonly #pieces: Buffer[] = [];
  #length = 0;
  #depth = 0;
  #inString = false;
  #escaped = false;

  /**
   * @param outside how many objects and arrays the value lies in
   * @returns the place behind its last byte, or -1 when it does not end in the chunk
   * @throws RangeError when it has too many bytes or levels
   */
  take(chunk: Buffer, from: number, outside: number): number {
    // Names of the loop, which looks at every byte of an archive.
    let [depth, inString, escaped, end] = [this.#depth, this.#inString, this.#escaped, -1];
    for (let at = from; at < chunk.length && end === -1; at += 1) {
      const byte = chunk[at] as number;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === backslash) escaped = true;
        else if (byte === quote) {
          inString = false;
          if (depth === 0) end = at + 1;
        }
      } else if (byte === quote) inString = true;
      else if (byte === openBrace || byte === openBracket) {
        depth += 1;
        if (depth + outside > maxDepth) throw new RangeError(`has more than ${maxDepth} levels`);
      } else if (byte === closeBrace || byte === closeBracket) {
        if (depth <= 1) end = at + depth;
        depth -= 1;
      } else if (depth === 0 && (byte === comma || byte <= space || byte === colon)) end = at;
    }
    [this.#depth, this.#inString, this.#escaped] = [depth, inString, escaped];
    this.#keep(end === -1 && from === 0 ? chunk : chunk.subarray(from, end === -1 ? chunk.length : end));
    return end;
  }

  #keep(piece: Buffer): void {
    this.#length += piece.length;
    if (this.#length > maxRecordBytes) throw new RangeError(`has more than ${maxRecordBytes} bytes`);
    this.#pieces.push(piece);
  }

  /** @throws SyntaxError */
  parse(): unknown {
    const bytes = this.#pieces.length === 1 ? (this.#pieces[0] as Buffer) : Buffer.concat(this.#pieces);
    return parsedJson(bytes.toString("utf8"));
  }
}

/**
 * Reads a JSON file, an array or an object, value by value, so that memory has one of them at a time: each element of the
 * array, or of the object's members that are arrays, and each other member.
 *
 * @throws ArchiveError at a wrong syntax, a value of more than 16 MiB and more than 100 levels: it names file and record
 */
export async function* jsonRecords(archive: Archive, name: string): AsyncGenerator<JsonRecord> {
  let expected: Expected = "root";
  let value: Value | null = null;
  /** Whether the file is an object, and which of its members is read. */
  let inObject = false;
  let key: string | null = null;
  let place: number | null = null;
  let members = 0;

  const wrong = (reason: string, cause?: unknown) => {
    const record = place === null ? members + 1 : `${place + 1}${key === null ? "" : ` of ${shown(key)}`}`;
    return new ArchiveError(`${shown(name)}, record ${record}: ${reason}.`, { cause });
  };
  const parsed = (ended: Value) => {
    try {
      return ended.parse();
    } catch (error) {
      throw wrong("is not JSON", error);
    }
  };

  for await (const chunk of withoutMark(await archive.open(name))) {
    for (let at = 0; at < chunk.length; ) {
      if (value === null) {
        const byte = chunk[at] as number;
        if (byte === space || byte === lineFeed || byte === carriageReturn || byte === tab) {
          at += 1;
          continue;
        }
        const arrayEnds =
          byte === closeBracket && (expected === "value or end" || expected === "comma or end") && place !== null;
        const objectEnds =
          byte === closeBrace && (expected === "key or end" || (expected === "comma or end" && place === null));
        at += 1;
        if (arrayEnds) {
          place = null;
          members += 1;
          expected = inObject ? "comma or end" : "nothing";
        } else if (objectEnds) expected = "nothing";
        else if (expected === "root" && byte === openBracket) {
          place = 0;
          expected = "value or end";
        } else if (expected === "root" && byte === openBrace) {
          inObject = true;
          expected = "key or end";
        } else if (expected === "comma or end" && byte === comma) expected = place === null ? "key" : "value";
        else if (expected === "colon" && byte === colon) expected = "member";
        else if (expected === "member" && byte === openBracket) {
          place = 0;
          expected = "value or end";
        } else if (
          ((expected === "key or end" || expected === "key") && byte === quote) ||
          expected === "value or end" ||
          expected === "value" ||
          expected === "member"
        ) {
          if (byte === comma || byte === colon || byte === closeBrace || byte === closeBracket)
            throw wrong("is not JSON");
          at -= 1;
          value = new Value();
        } else throw wrong("is not JSON");
        continue;
      }
      let end: number;
      try {
        end = value.take(chunk, at, (inObject ? 1 : 0) + (place === null ? 0 : 1));
      } catch (error) {
        throw error instanceof RangeError ? wrong(error.message) : error;
      }
      if (end === -1) break;
      at = end;
      const found = parsed(value);
      value = null;
      if (expected === "key" || expected === "key or end") {
        key = found as string;
        expected = "colon";
        continue;
      }
      expected = "comma or end";
      if (place === null) members += 1;
      else place += 1;
      yield { key, place, value: found };
    }
  }
  if (expected !== "nothing") throw wrong("the file ends too early");
}

/** A line of a file of JSON lines. */
export interface JsonLine {
  /** From 1; empty lines do not count. */
  line: number;
  value: unknown;
}

/**
 * Reads a file of JSON lines; empty lines are left out.
 *
 * @throws ArchiveError at a wrong syntax, a line of more than 16 MiB and more than 100 levels: it names file and record
 */
export async function* jsonLines(archive: Archive, name: string): AsyncGenerator<JsonLine> {
  let line = 1;
  let pieces: Buffer[] = [];
  let length = 0;
  const wrong = (reason: string, cause?: unknown) =>
    new ArchiveError(`${shown(name)}, record ${line}: ${reason}.`, { cause });
  const keep = (piece: Buffer) => {
    length += piece.length;
    if (length > maxRecordBytes) throw wrong(`has more than ${maxRecordBytes} bytes`);
    pieces.push(piece);
  };
  const parsed = (): JsonLine | null => {
    const bytes = Buffer.concat(pieces);
    [pieces, length] = [[], 0];
    if (levelsOf(bytes) > maxDepth) throw wrong(`has more than ${maxDepth} levels`);
    const text = bytes.toString("utf8");
    if (text.trim() === "") return null;
    try {
      return { line, value: parsedJson(text) };
    } catch (error) {
      throw wrong("is not JSON", error);
    }
  };
  for await (const chunk of withoutMark(await archive.open(name))) {
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      keep(chunk.subarray(from, end));
      const found = parsed();
      if (found !== null) {
        yield found;
        line += 1;
      }
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
  const last = parsed();
  if (last !== null) yield last;
}

const unstorable = /\\u(?:0000|d[89a-f])/i;

/** JSON has U+0000 and half surrogates only as escapes. */
function parsedJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return text.includes("\\u") && unstorable.test(text) ? storableValue(value) : value;
}

function levelsOf(bytes: Buffer): number {
  let [depth, deepest, inString] = [0, 0, false];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === backslash) at += 1;
      else if (byte === quote) inString = false;
    } else if (byte === quote) inString = true;
    else if (byte === openBrace || byte === openBracket) deepest = Math.max(deepest, ++depth);
    else if (byte === closeBrace || byte === closeBracket) depth -= 1;
  }
  return deepest;
}

async function* withoutMark(bytes: Readable): AsyncGenerator<Buffer> {
  let beginning: Buffer | null = Buffer.alloc(0);
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    if (beginning === null) yield chunk;
    else {
      beginning = Buffer.concat([beginning, chunk]);
      if (beginning.length < byteOrderMark.length) continue;
      yield beginning.subarray(0, 3).equals(byteOrderMark) ? beginning.subarray(3) : beginning;
      beginning = null;
    }
  }
  if (beginning !== null && beginning.length > 0) yield beginning;
}
