import { connect } from "node:net";
import type { Measured } from "./world.js";

/** Bytes that were made to be slow for a parser. */
export interface HostileInput {
  readonly parser: string;
  readonly input: string;
  /** Whose event loop parses it. */
  readonly service: Measured;
  readonly bytes: number;
  /** Sends it, and returns the answer once it has been parsed. */
  send(): Promise<string>;
}

/** Sends bytes over a connection of their own; returns the status of the answer. */
export async function exchange({ port }: { port: number }, bytes: string | Buffer): Promise<string> {
  const socket = connect({ host: "127.0.0.1", port });
  socket.on("error", () => undefined);
  let answer = "";
  socket.setEncoding("latin1");
  socket.on("data", (part) => {
    answer += part;
    if (answer.includes("\r\n\r\n")) socket.destroy();
  });
  socket.write(bytes);
  await new Promise((resolve) => socket.once("close", resolve));
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? "closed";
}

/** A request with a body, as bytes. */
export function requestBytes(
  line: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer = "",
): Buffer {
  const bytes = Buffer.from(body);
  const fields = { host: "bench", "content-length": String(bytes.length), ...headers };
  const head = [`${line} HTTP/1.1`, ...Object.entries(fields).map(([name, value]) => `${name}: ${value}`)];
  return Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`, "latin1"), bytes]);
}

/** The same in chunks of one byte. */
export function chunked(line: string, headers: Readonly<Record<string, string>>, body: string | Buffer): Buffer {
  const head = [
    `${line} HTTP/1.1`,
    "host: bench",
    "transfer-encoding: chunked",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const chunks = Array.from(Buffer.from(body).toString("latin1"), (byte) => `1\r\n${byte}\r\n`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${chunks.join("")}0\r\n\r\n`, "latin1");
}

/** A text of at most so many bytes: a beginning, a part as often as fits, and an end. */
export function filled(bytes: number, start: string, part: string, end = ""): string {
  return start + part.repeat(Math.floor((bytes - start.length - end.length) / part.length)) + end;
}
