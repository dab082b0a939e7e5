import { constants, createInflate } from "node:zlib";
import { waitUntil } from "@parley/testing";
import { WebSocket } from "ws";
import { requireOffsets } from "./discord-shapes.js";

/** A payload of Discord's gateway. */
export interface Payload {
  readonly op: number;
  readonly d: unknown;
  readonly s: number | null;
  readonly t: string | null;
}

/** A connection to Discord's gateway as a library makes it. */
export interface DiscordSocket {
  /** Everything received, oldest first. */
  readonly payloads: readonly Payload[];
  /** Names of the dispatches, oldest first. */
  readonly names: () => string[];
  readonly send: (op: number, d: unknown) => void;
  readonly sendText: (text: string) => void;
  /** The first dispatch of that name whose payload fulfils the predicate, received or yet to come. */
  readonly waitFor: <D = Record<string, unknown>>(t: string, predicate?: (d: D) => boolean) => Promise<D>;
  readonly waitForOp: (op: number) => Promise<Payload>;
  /** The number of the last dispatch. */
  readonly sequence: () => number;
  readonly closed: Promise<number>;
  readonly close: (code?: number) => Promise<number>;
  readonly terminate: () => void;
}

/** All intents that Discord's documentation names. */
export const allIntents = 53_608_447;
export const ops = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  presence: 3,
  voice: 4,
  resume: 6,
  reconnect: 7,
  members: 8,
  invalid: 9,
  hello: 10,
  ack: 11,
} as const;

/** The snowflake of a UUIDv7. */
export function snowflake(uuid: string): string {
  const hex = uuid.replaceAll("-", "");
  const ms = BigInt(`0x${hex.slice(0, 12)}`) - 1_420_070_400_000n;
  const low = (BigInt(`0x${hex.slice(13, 16)}`) << 10n) | ((BigInt(`0x${hex.slice(16, 20)}`) >> 4n) & 0x3ffn);
  return ((ms << 22n) | low).toString();
}

/** Connects, and waits for nothing. @param url of a process or the edge */
export function openDiscord(url: string, query = "v=10&encoding=json"): DiscordSocket {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/discord/gateway/?${query}`, { perMessageDeflate: false });
  const payloads: Payload[] = [];
  const inflate = createInflate({ finishFlush: constants.Z_SYNC_FLUSH });
  let read = "";
  inflate.on("data", (chunk: Buffer) => {
    read += String(chunk);
    try {
      payloads.push(JSON.parse(read) as Payload);
      read = "";
    } catch {
      // The rest of the payload follows.
    }
  });
  socket.on("message", (data: Buffer, isBinary: boolean) => {
    if (isBinary) inflate.write(data);
    else payloads.push(JSON.parse(requireOffsets(String(data))) as Payload);
  });
  socket.on("error", () => undefined);
  const closed = new Promise<number>((resolve) => socket.on("close", resolve));
  const send = (text: string) => {
    if (socket.readyState === WebSocket.CONNECTING) socket.once("open", () => socket.send(text));
    else socket.send(text);
  };
  return {
    payloads,
    names: () => payloads.flatMap(({ t }) => t ?? []),
    send: (op, d) => send(JSON.stringify({ op, d })),
    sendText: send,
    waitFor: async (t, predicate = () => true) => {
      type D = Parameters<typeof predicate>[0];
      const what = () => `${t}; got ${payloads.map((each) => each.t ?? each.op).join(", ")}`;
      const find = () => payloads.find((each) => each.t === t && predicate(each.d as D));
      const found = await waitUntil(find, { what: t }).catch(() => {
        throw new Error(`Waited in vain for ${what()}`);
      });
      return found.d as D;
    },
    waitForOp: (op) => waitUntil(() => payloads.find((each) => each.op === op), { what: `the op ${op}` }),
    sequence: () => payloads.reduce((last, { s }) => s ?? last, 0),
    closed,
    close: (code = 1000) => {
      socket.close(code);
      return closed;
    },
    terminate: () => socket.terminate(),
  };
}

/** READY's payload, as far as tests read it. */
export interface ReadyPayload {
  readonly session_id: string;
  readonly resume_gateway_url: string;
  readonly user: { readonly id: string };
  readonly application: { readonly id: string; readonly flags: number };
  readonly guilds: readonly { readonly id: string; readonly unavailable: boolean }[];
  readonly private_channels: readonly unknown[];
  readonly shard: readonly [number, number];
}

/** A connection that has identified itself and has READY. */
export async function identify(
  url: string,
  token: string,
  { query, ...fields }: { query?: string; intents?: number; shard?: [number, number]; presence?: object } = {},
): Promise<DiscordSocket & { readonly ready: ReadyPayload }> {
  const socket = openDiscord(url, query);
  await socket.waitForOp(ops.hello);
  socket.send(ops.identify, { token, intents: allIntents, properties: { os: "linux" }, ...fields });
  return { ...socket, ready: await socket.waitFor<ReadyPayload>("READY") };
}

/** A connection that asks to continue a session. */
export async function resume(
  url: string,
  { token, session, seq }: { token: string; session: string; seq: number },
): Promise<DiscordSocket> {
  const socket = openDiscord(url);
  await socket.waitForOp(ops.hello);
  socket.send(ops.resume, { token, session_id: session, seq });
  return socket;
}
