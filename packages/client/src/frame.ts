import type { GatewayEvent } from "./gateway-options.js";

/** A READY with the servers of a very large bot has some millions of characters. */
const frameCharactersMax = 64 * 1024 * 1024;
/** How much of a wrong frame its error shows. */
const shownCharactersMax = 80;
const positionPattern = /^[\w.~-]{1,128}$/;

/**
 * The event in a frame; null for a frame without one, such as the answer to a heartbeat. Names and operations that the
 * client does not know are right: newer servers have more.
 *
 * @throws Error when no Parley server sends such a frame
 */
export function readFrame(data: unknown): GatewayEvent | null {
  if (typeof data !== "string") throw wrong("it is binary");
  if (data.length > frameCharactersMax) throw wrong(`it has ${data.length} characters`, data);
  const frame = parse(data);
  if (!isObject(frame) || typeof frame.op !== "string") throw wrong("it is no envelope", data);
  if (frame.op !== "DISPATCH") return null;
  const { t, s = null, d } = frame;
  if (typeof frame.t !== "string" || !isObject(d)) throw wrong("an event needs a name and a payload", data);
  if (s !== null && (typeof s !== "string" || !positionPattern.test(s))) throw wrong("its position is none", data);
  if (t === "READY" && !isReady(d.user, d.servers, d.resync)) throw wrong("READY is not complete", data);
  return { name: t, data: d, position: s };
}

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null && !Array.isArray(value);

/** Checks only the parts of the payloads that the client itself reads. */
function isReady(user: unknown, servers: unknown, resync: unknown = ""): boolean {
  return typeof Reflect.get(Object(user), "id") === "string" && Array.isArray(servers) && typeof resync === "string";
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrong("it is no JSON", text, error);
  }
}

const wrong = (why: string, text = "", cause?: unknown) =>
  new Error(`The server sent a frame that is none: ${why} (${text.slice(0, shownCharactersMax)})`, { cause });
