import { createSocket } from "node:dgram";
import { once } from "node:events";

/** A name server on this machine, for names that tests make up. */
export interface TestNameServer {
  /** For `Resolver.setServers` of `node:dns`. */
  readonly address: string;
  /** The names that were asked for, one for each question: two of a look-up, for the addresses of both families. */
  readonly asked: string[];
  readonly close: () => void;
}

const typeA = 1;
const typeAaaa = 28;
const missing = 3;

/**
 * Starts a name server. Names below `hang.test` get no answer, those below `missing.test` do not exist; all others have
 * `address`.
 *
 * @param options.address an IPv4 address, or one for each name
 * @param options.hangs more names without an answer, by the type of the requested address
 * @param options.isMissing more names that do not exist
 */
export async function startNameServer(
  options: {
    address?: string | ((name: string) => string);
    ttlSeconds?: number;
    hangs?: (name: string, type: "A" | "AAAA") => boolean;
    isMissing?: (name: string) => boolean;
  } = {},
): Promise<TestNameServer> {
  const { address = "127.0.0.1", ttlSeconds = 60, hangs = () => false, isMissing = () => false } = options;
  const asked: string[] = [];
  const socket = createSocket("udp4");
  socket.on("message", (query, { address: host, port }) => {
    const { name, type, end } = readQuestion(query);
    asked.push(name);
    if (/(^|\.)hang\.test$/.test(name) || hangs(name, type === typeAaaa ? "AAAA" : "A")) return;
    const noSuchName = /(^|\.)missing\.test$/.test(name) || isMissing(name);
    const found =
      !noSuchName && type === typeA
        ? recordOf(typeof address === "string" ? address : address(name), ttlSeconds)
        : null;
    const head = Buffer.alloc(12);
    query.copy(head, 0, 0, 2);
    // A response, with recursion, and its code.
    head.writeUInt16BE(0x8180 | (noSuchName ? missing : 0), 2);
    head.writeUInt16BE(1, 4);
    head.writeUInt16BE(found === null ? 0 : 1, 6);
    socket.send(Buffer.concat([head, query.subarray(12, end), found ?? Buffer.alloc(0)]), port, host);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return { address: `127.0.0.1:${socket.address().port}`, asked, close: () => void socket.close() };
}

/** The first question of a message, and where it ends. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length).toLowerCase());
    at += 1 + length;
  }
  return { name: labels.join("."), type: query.readUInt16BE(at + 1), end: at + 5 };
}

/** An address of the name in the question. */
function recordOf(address: string, ttlSeconds: number): Buffer {
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(typeA, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttlSeconds, 6);
  record.writeUInt16BE(4, 10);
  address.split(".").forEach((part, n) => void record.writeUInt8(Number(part), 12 + n));
  return record;
}
