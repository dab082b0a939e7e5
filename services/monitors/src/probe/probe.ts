import { randomUUID } from "node:crypto";
import { z } from "zod";
import { ProbeSocket } from "./probe-socket.js";

/** Where a probe failed: no connection at /ws, no answer to the post, or no event of the message. */
export type ProbeStage = "connect" | "post" | "socket";

/** A probe that failed. */
export class ProbeError extends Error {
  override name = "ProbeError";

  constructor(
    readonly stage: ProbeStage,
    cause: unknown,
  ) {
    super(`The probe failed: ${stage}`, { cause });
  }
}

const Posted = z.object({ id: z.string() });

/**
 * Sends a message as a client does, and waits for it on a socket as another one does. The socket stays open between
 * probes; after a failure it is opened again by the next.
 */
export class Probe {
  readonly #messages: string;
  readonly #authorization: { authorization: string };
  readonly #timeoutMs: number;
  readonly #socket: ProbeSocket;

  constructor(options: { url: string; token: string; channelId: string; timeoutMs: number }) {
    const { url, token, channelId, timeoutMs } = options;
    this.#messages = new URL(`/api/channels/${encodeURIComponent(channelId)}/messages`, url).href;
    this.#authorization = { authorization: `Bot ${token}` };
    this.#timeoutMs = timeoutMs;
    const socketUrl = new URL(`/ws?events=MESSAGE_CREATE&bot_token=${encodeURIComponent(token)}`, url);
    socketUrl.protocol = socketUrl.protocol === "https:" ? "wss:" : "ws:";
    this.#socket = new ProbeSocket(socketUrl.href);
  }

  /**
   * Runs one probe, and deletes its message.
   *
   * @returns seconds from the post to the event on the socket
   * @throws ProbeError
   */
  async run(): Promise<number> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    await at("connect", this.#socket.open(signal));
    const content = `probe ${randomUUID()}`;
    const startedAt = performance.now();
    const received = this.#socket.waitFor(content, signal);
    // Awaited after the post; without this its rejection could count as unhandled before.
    received.catch(() => undefined);
    const message = await at("post", this.#post(content, signal));
    try {
      const receivedAt = await at("socket", received);
      return (receivedAt - startedAt) / 1_000;
    } catch (error) {
      // It may be a connection whose other end is gone.
      this.#socket.close();
      throw error;
    } finally {
      await this.#delete(message.id);
    }
  }

  close(): void {
    this.#socket.close();
  }

  async #post(content: string, signal: AbortSignal): Promise<z.infer<typeof Posted>> {
    const response = await fetch(this.#messages, {
      method: "POST",
      headers: { ...this.#authorization, "content-type": "application/json" },
      body: JSON.stringify({ content }),
      signal,
    });
    if (response.status !== 201) throw new Error(`The post was answered with ${response.status}`);
    return Posted.parse(await response.json());
  }

  /** A failure leaves at most one message behind, in the probe's own channel. */
  async #delete(id: string): Promise<void> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    await fetch(`${this.#messages}/${id}`, { method: "DELETE", headers: this.#authorization, signal }).catch(
      () => null,
    );
  }
}

async function at<Result>(stage: ProbeStage, work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    throw new ProbeError(stage, error);
  }
}
