import { createHash, createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { readVarint, writeVarint } from "./varint.js";

/**
 * The events of the stream that a node has dispatched at a moment: every one up to `highest`, except those of
 * `pending`.
 */
export interface Position {
  /** Every event of the stream up to this sequence was received. */
  highest: number;
  /** {@link shortHash} of the id that the event with that sequence has: identifies the stream. */
  anchor: number;
  /** When the node wrote it, in seconds since 1970. */
  writtenAt: number;
  /**
   * Subscriptions with events up to `highest` that were not dispatched: {@link longHash} of the pattern, and the
   * sequence from which on none was. Null when no sequence separates dispatched from pending events.
   */
  pending: ReadonlyMap<number, number> | null;
}

/** The sessionTag's part of a cursor: the user, their servers and the filter of the connection. */
export interface SessionTag {
  userId: string;
  /** Exclusive or of {@link shortHash} of the ids of the servers. */
  memberships: number;
  /** {@link shortHash} of the filter and shard; 0 without. */
  filter: number;
  /** {@link channelMarks} of the channels in view; null of a connection without `view`. */
  shown: Buffer | null;
}

/** Contents of the value `s` of a frame (docs/protocol/continuing.md#19.1). */
export interface Cursor extends Omit<SessionTag, "userId"> {
  position: Position;
}

/** Longest value of `s`. */
export const cursorLengthMax = 128;
/** Between position and sessionTag. */
export const cursorSeparator = ".";
const sessionTagBytes = 15;
const channelMarksBytes = 6;
/** Characters of the sessionTag's part. */
export const sessionTagLength = charactersOf(sessionTagBytes);
/** The same of a connection with `view`. */
export const viewSessionTagLength = charactersOf(sessionTagBytes + channelMarksBytes);
const positionBytesMax = Math.floor(((cursorLengthMax - viewSessionTagLength - cursorSeparator.length) * 3) / 4);
const sessionTagBodyBytes = 8;
const sessionTagMacBytes = sessionTagBytes - sessionTagBodyBytes;
const positionMacBytes = 8;
/** Bytes of the position's head: its kind, the anchor, the time. */
const headBytes = 9;
const complete = 1;
const incomplete = 2;

/**
 * Writes and reads cursors. A cursor is a position, made once per event and node, and the sessionTag's part of constant
 * length, which is the same for every frame of a connection. Each has its own MAC, so a client can combine two parts of
 * different cursors of one user. It gains nothing, because a replay checks the user's present rights
 * (docs/processes/gateway.md#continuing).
 *
 * @param secrets the first makes cursors; all of them are accepted
 */
export function createCursors(secrets: readonly [string, ...string[]]) {
  const keyOf = (secret: string) => Buffer.from(hkdfSync("sha256", secret, "", "gateway-cursor", 32));
  const ownKey = keyOf(secrets[0]);
  const keys = secrets.map(keyOf);

  /** Null for a value that is malformed, or not made with one of the secrets for this user. */
  function read(cursor: string, userId: string): Cursor | null {
    if (cursor.length > cursorLengthMax) return null;
    const parts = cursor.split(cursorSeparator).map(decode);
    const [position, sessionTag] = parts;
    if (parts.length !== 2 || position == null || sessionTag == null) return null;
    const key = keys.find((candidate) => isGenuine(candidate, position, sessionTag, userId));
    if (key === undefined) return null;
    return {
      position: parsePosition(position.subarray(positionMacBytes)),
      memberships: sessionTag.readUInt32BE(0),
      filter: sessionTag.readUInt32BE(4),
      shown:
        sessionTag.length === sessionTagBytes ? null : sessionTag.subarray(sessionTagBodyBytes, -sessionTagMacBytes),
    };
  }

  return {
    /** Null when the position has more pending subscriptions than fit. */
    writePosition(position: Position): string | null {
      const body = positionBody(position);
      if (positionMacBytes + body.length > positionBytesMax) return null;
      return Buffer.concat([mac(ownKey, "position", body, positionMacBytes), body]).toString("base64url");
    },
    /** {@link sessionTagLength} characters, or {@link viewSessionTagLength}. */
    writeSessionTag({ userId, memberships, filter, shown }: SessionTag): string {
      const body = Buffer.alloc(sessionTagBodyBytes + (shown?.length ?? 0));
      body.writeUInt32BE(memberships, 0);
      body.writeUInt32BE(filter, 4);
      if (shown !== null) body.set(shown, sessionTagBodyBytes);
      return Buffer.concat([body, sessionTagMac(ownKey, body, userId)]).toString("base64url");
    },
    read,
  };
}

/**
 * Channels in the few bytes that a cursor has for them: of each, two of its bits are set (a Bloom filter). Of a channel that
 * is not among them {@link hasMarks} may say that it is: one in seventy with three channels in view, a third with twenty.
 */
export function channelMarks(channelIds: Iterable<string>): Buffer {
  const marks = Buffer.alloc(channelMarksBytes);
  for (const [byte, bit] of [...channelIds].flatMap(bitsOf)) marks[byte] = (marks[byte] ?? 0) | bit;
  return marks;
}

/** Whether a channel is among those that {@link channelMarks} was made of, or seems to be. */
export function hasMarks(marks: Buffer, channelId: string): boolean {
  return bitsOf(channelId).every(([byte, bit]) => ((marks[byte] ?? 0) & bit) !== 0);
}

function bitsOf(channelId: string): [byte: number, bit: number][] {
  const hash = shortHash(channelId);
  return [hash & 0xffff, hash >>> 16].map((half) => {
    const place = half % (8 * channelMarksBytes);
    return [place >> 3, 1 << (place & 7)];
  });
}

export type Cursors = ReturnType<typeof createCursors>;

/** Characters of bytes in base64url, whose number is a multiple of three. */
function charactersOf(bytes: number): number {
  return (bytes / 3) * 4;
}

/** 32 bits of a hash of a text. */
export function shortHash(text: string): number {
  return createHash("sha256").update(text).digest().readUInt32BE(0);
}

/** 40 bits of a hash of a text. */
export function longHash(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 5);
}

function mac(key: Buffer, purpose: string, body: Buffer, length: number): Buffer {
  return createHmac("sha256", key).update(purpose).update(body).digest().subarray(0, length);
}

function sessionTagMac(key: Buffer, body: Buffer, userId: string): Buffer {
  return mac(key, `owner ${userId}`, body, sessionTagMacBytes);
}

function isGenuine(key: Buffer, position: Buffer, sessionTag: Buffer, userId: string): boolean {
  const hasLength = [sessionTagBytes, sessionTagBytes + channelMarksBytes].includes(sessionTag.length);
  if (!hasLength || position.length <= positionMacBytes) return false;
  const positionMac = mac(key, "position", position.subarray(positionMacBytes), positionMacBytes);
  return (
    timingSafeEqual(positionMac, position.subarray(0, positionMacBytes)) &&
    timingSafeEqual(
      sessionTagMac(key, sessionTag.subarray(0, -sessionTagMacBytes), userId),
      sessionTag.subarray(-sessionTagMacBytes),
    )
  );
}

/** Null for a text that is not the base64url of any bytes. */
function decode(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64url");
  return bytes.toString("base64url") === text ? bytes : null;
}

function positionBody({ highest, anchor, writtenAt, pending }: Position): Buffer {
  const head = Buffer.alloc(headBytes);
  head.writeUInt8(pending === null ? incomplete : complete, 0);
  head.writeUInt32BE(anchor, 1);
  head.writeUInt32BE(writtenAt, 5);
  const parts = [head, writeVarint(highest)];
  for (const [subscription, from] of pending ?? []) {
    const hash = Buffer.alloc(5);
    hash.writeUIntBE(subscription, 0, 5);
    parts.push(hash, writeVarint(highest - from));
  }
  return Buffer.concat(parts);
}

/** @param body genuine, so it is well-formed */
function parsePosition(body: Buffer): Position {
  const [anchor, writtenAt] = [body.readUInt32BE(1), body.readUInt32BE(5)];
  const [highest, end] = readVarint(body, headBytes);
  if (body.readUInt8(0) === incomplete) return { highest, anchor, writtenAt, pending: null };
  const pending = new Map<number, number>();
  for (let at = end; at < body.length; ) {
    const subscription = body.readUIntBE(at, 5);
    const [distance, next] = readVarint(body, at + 5);
    pending.set(subscription, highest - distance);
    at = next;
  }
  return { highest, anchor, writtenAt, pending };
}
