import { type FrameSink, ReaderClient } from "./connection.js";

/** Attempts to continue before a client gives up. */
const attemptsMax = 5;
/** READY or RESUMED says when the connection is ready, not a number of frames. */
const dialect = { greeting: null, helloFrames: Number.POSITIVE_INFINITY };
/** Enough for the name of an event and the number that the content of ours begins with. */
const startBytes = 160;
/** Enough for a cursor and the reason of READY before it. */
const endBytes = 200;
const nameStart = '"t":"';
const contentStart = '"content":"';
const cursorStart = ',"s":"';
const quote = 0x22;

/** A client that keeps the cursor of the last frame that has one, and continues with it. */
export class NumberedClient implements FrameSink {
  readonly payloadBytes = -1;
  /** RESUMED, READY, or the reason for READY: what the newest connection got. */
  answer: string | null = null;
  #cursor = "";
  #connection: ReaderClient | null = null;

  /**
   * @param path without cursor
   * @param onEvent gets the number of each message
   */
  constructor(
    private readonly path: string,
    private readonly onEvent: (number: number) => void,
  ) {}

  /** Whether the connection got READY or RESUMED. */
  connect(port: number): Promise<boolean> {
    this.answer = null;
    this.#connection = new ReaderClient({ port, path: `${this.path}&s=${this.#cursor}`, dialect }, this);
    return this.#connection.ready;
  }

  /** @returns connections that ended before an answer */
  async continue(port: number): Promise<number> {
    for (let cut = 0; cut < attemptsMax; cut += 1) {
      if (await this.connect(port)) return cut;
    }
    return attemptsMax;
  }

  async closed(): Promise<void> {
    await this.#connection?.closed();
  }

  onFrames(): void {
    // No frames are counted by their length.
  }

  onPayload(connection: ReaderClient, bytes: Buffer, start: number, end: number): void {
    // Frames without a cursor end with the object `d`: presence by the million, which the load side must not read.
    if (bytes[end - 2] !== quote) return;
    const head = bytes.toString("latin1", start, Math.min(start + startBytes, end));
    const tail = bytes.toString("latin1", Math.max(start, end - endBytes), end);
    const cursorAt = tail.lastIndexOf(cursorStart);
    if (cursorAt === -1) return;
    this.#cursor = tail.slice(cursorAt + cursorStart.length, -2);
    const name = textAfter(head, nameStart);
    if (name === "MESSAGE_CREATE") this.onEvent(Number.parseInt(textAfter(head, contentStart), 10));
    if (name !== "READY" && name !== "RESUMED") return;
    const reason = /"resync":"(\w+)"\}$/.exec(tail.slice(0, cursorAt))?.[1];
    this.answer = reason ?? name;
    connection.markReady();
  }
}

/** What follows a key, until the next quote or the end. */
function textAfter(text: string, key: string): string {
  const at = text.indexOf(key);
  if (at === -1) return "";
  const end = text.indexOf('"', at + key.length);
  return text.slice(at + key.length, end === -1 ? undefined : end);
}
