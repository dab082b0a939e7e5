import { Connection, type Dialect, type FrameSink } from "./connection.js";

/** Attempts to continue before a client gives up. */
const attemptsMax = 5;
/** Enough for the name of an event and the number that the content of ours begins with. */
const startBytes = 320;
/** Enough for a cursor and the reason of READY before it. */
const endBytes = 200;
const cursorStart = ',"s":"';
const quote = 0x22;

/** Takes the reports of clients about their events. */
export interface Records {
  readonly payloadBytes: number | "all";
  /** @param first number of the first of these events at this client */
  onEvents(client: Client, first: number, count: number): void;
}

/** A client of a server, on one connection after another. */
export class Client implements FrameSink {
  /** Events since the counting began. */
  counted = 0;
  /** For a resumable client: RESUMED, READY, or the reason for READY, which the newest connection got. */
  answer: string | null = null;
  readonly onPayload: FrameSink["onPayload"];
  #connection: Connection | null = null;
  #cursor = "";

  constructor(
    readonly number: number,
    private readonly start: { port: number; path: string; dialect: Dialect },
    private readonly records: Records,
  ) {
    this.onPayload = start.dialect.isResumable
      ? (bytes, from, to) => {
          // Frames without a cursor end with the object `d`: presence by the million, which the load side must not read.
          if (bytes[to - 2] === quote) this.#readFrame(bytes, from, to);
        }
      : undefined;
  }

  get payloadBytes(): number | "all" {
    return this.records.payloadBytes;
  }

  /** Whether the connection became ready. */
  connect(port = this.start.port): Promise<boolean> {
    this.answer = null;
    const { path, dialect } = this.start;
    const cursor = dialect.isResumable ? `&s=${this.#cursor}` : "";
    this.#connection = new Connection({ port, path: path + cursor, dialect }, this);
    return this.#connection.ready;
  }

  /** @returns connections that ended before an answer */
  async continue(port: number): Promise<number> {
    for (let cut = 0; cut < attemptsMax; cut += 1) {
      if (await this.connect(port)) return cut;
    }
    return attemptsMax;
  }

  async ping(): Promise<void> {
    await this.#connection?.ping();
  }

  /** Says goodbye and lets the server close, or is gone. */
  async end(isPolite = false): Promise<void> {
    if (isPolite) this.#connection?.close();
    else this.#connection?.destroy();
    await this.closed();
  }

  async closed(): Promise<void> {
    await this.#connection?.closed();
  }

  onFrames(found: number): void {
    this.counted += found;
    this.records.onEvents(this, this.counted - found, found);
  }

  #readFrame(bytes: Buffer, from: number, to: number): void {
    const head = bytes.toString("latin1", from, Math.min(from + startBytes, to));
    const tail = bytes.toString("latin1", Math.max(from, to - endBytes), to);
    const cursorAt = tail.lastIndexOf(cursorStart);
    if (cursorAt === -1) return;
    this.#cursor = tail.slice(cursorAt + cursorStart.length, -2);
    const name = textAfter(head, '"t":"');
    if (name === "MESSAGE_CREATE") {
      this.counted += 1;
      this.records.onEvents(this, Number.parseInt(textAfter(head, '"content":"'), 10), 1);
    }
    if (name !== "READY" && name !== "RESUMED") return;
    this.answer = /"resync":"(\w+)"\}$/.exec(tail.slice(0, cursorAt))?.[1] ?? name;
    this.#connection?.markReady();
  }
}

/** The text behind a key, until the next quote or the end. */
function textAfter(text: string, key: string): string {
  const at = text.indexOf(key);
  if (at === -1) return "";
  const end = text.indexOf('"', at + key.length);
  return text.slice(at + key.length, end === -1 ? undefined : end);
}
