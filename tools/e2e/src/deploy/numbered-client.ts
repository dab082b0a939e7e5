import { setTimeout as pause } from "node:timers/promises";
import { connectGateway, type GatewayClient } from "@parley/testing";
import { z } from "zod";

const Frame = z.object({
  t: z.string().nullable(),
  d: z.looseObject({ content: z.string().optional(), resync: z.string().optional() }).nullable(),
  s: z.string().optional(),
});
type Frame = z.infer<typeof Frame>;

/** A client that keeps the cursor of its last frame and connects again with it whenever its connection ends. */
export interface NumberedClient {
  /** Every frame of all its connections, in order. */
  readonly frames: () => Frame[];
  /** Contents of the messages it received. */
  readonly contents: () => string[];
  /** Whether the present connection has had READY or RESUMED. */
  readonly connected: () => boolean;
  readonly stop: () => Promise<void>;
}

/** Pause before a client connects again, at random up to this many milliseconds. */
const reconnectPauseMsMax = 200;

export function startNumberedClient(edgeUrl: string, token: string): NumberedClient {
  const earlier: Frame[] = [];
  let present: GatewayClient | null = null;
  let isStopping = false;
  const presentFrames = () => (present?.frames ?? []).map((text) => Frame.parse(JSON.parse(text)));
  const frames = () => [...earlier, ...presentFrames()];

  const running = (async () => {
    while (!isStopping) {
      const cursor = earlier.findLast(({ s }) => s !== undefined)?.s ?? "";
      const query = `token=${encodeURIComponent(token)}&s=${encodeURIComponent(cursor)}`;
      present = connectGateway(edgeUrl, token, { query });
      await present.closed;
      earlier.push(...presentFrames());
      present = null;
      await pause(Math.random() * reconnectPauseMsMax);
    }
  })();
  return {
    frames,
    contents: () => frames().flatMap(({ t, d }) => (t === "MESSAGE_CREATE" ? [d?.content ?? ""] : [])),
    connected: () => presentFrames().some(({ t }) => t === "READY" || t === "RESUMED"),
    async stop() {
      isStopping = true;
      present?.terminate();
      await running;
    },
  };
}
