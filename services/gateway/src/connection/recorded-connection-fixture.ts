import { Socket } from "node:net";
import { createMetrics } from "@parley/service-runtime";
import { WebSocket } from "ws";
import { createGatewayMetrics } from "../metrics.js";
import { defaultQuery } from "../query/connection-query.js";
import { Connection } from "./connection.js";
import { payloadOf } from "./frame-header.js";
import type { WriteSchedulers } from "./write-scheduler.js";

/** A socket that records every write, and accepts everything. */
class RecordingSocket extends Socket {
  constructor(private readonly onWrite: (bytes: Buffer) => void) {
    super();
  }

  override write(bytes: Uint8Array | string): boolean {
    this.onWrite(Buffer.from(bytes));
    return true;
  }
}

/** Its state is read, and it is closed. */
class OpenWebSocket extends WebSocket {
  override readonly readyState = WebSocket.OPEN;

  override close(): void {}
}

const webSocket = new OpenWebSocket("ws://never.invalid", { createConnection: () => new Socket() });
// It never connects.
webSocket.on("error", () => {});
const metrics = createGatewayMetrics(createMetrics().registry);

/**
 * An open connection without a client.
 *
 * @param onWrite called with the frames of each write, as texts
 */
export function openRecorded(
  userId: string,
  writeSchedulers: WriteSchedulers,
  onWrite: (frames: string[]) => void,
): Connection {
  const connection = new Connection(
    { id: userId, userId, isBot: false, sessionVersion: 0, sessionId: null, query: defaultQuery },
    { writeSchedulers, metrics, onEnd: () => {} },
  );
  attachRecorded(connection, onWrite);
  connection.open([]);
  return connection;
}

/** Attaches a socket without a client to an opening connection. */
export function attachRecorded(connection: Connection, onWrite: (frames: string[]) => void): void {
  connection.attach({ socket: new RecordingSocket((bytes) => onWrite(textsOf(bytes))), webSocket });
}

/** The texts of small frames. */
function textsOf(bytes: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; ) {
    const payload = payloadOf(bytes.subarray(at));
    const headerLength = bytes.length - at - payload.length;
    const length = headerLength === 2 ? bytes.readUInt8(at + 1) : bytes.readUInt16BE(at + 2);
    texts.push(payload.subarray(0, length).toString());
    at += headerLength + length;
  }
  return texts;
}
