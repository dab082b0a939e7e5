import { createECDH, randomBytes, randomUUID } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { decrypt } from "http_ece";
import { z } from "zod";
import { checkVapid } from "./vapid.js";

/** Most bytes that a push service has to take (RFC 8030, section 7.2). */
const bodyBytesMax = 4_096;

/** A subscription, as a browser gives it to a page. */
export interface PushDevice {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** A push that the service could authenticate and decrypt. */
export interface ReceivedPush {
  readonly device: PushDevice;
  readonly headers: IncomingHttpHeaders;
  /** The decrypted JSON. */
  readonly payload: unknown;
  /** When it was there, in milliseconds since 1970. */
  readonly at: number;
  /** The status of the answer; null while there is none. */
  readonly status: number | null;
}

/** The answer to a device's pushes: a status, or nothing at all. */
export type PushAnswer = { status: number; retryAfter?: string } | "hang";

/** A push service (RFC 8030) that decrypts its pushes. */
export interface TestPushService {
  readonly origin: string;
  /** Subscribes a device; with a key, it takes the pushes of that application server alone (RFC 8292, section 4). */
  makeDevice(applicationServerKey?: string): PushDevice;
  /** In the order of their arrival, refused ones included. */
  readonly pushes: readonly ReceivedPush[];
  /** The faults of requests that were no pushes; a test expects none. */
  readonly faults: readonly string[];
  /** Answers the device's pushes with this from now on; null takes them again. */
  answer(device: PushDevice, answer: PushAnswer | null): void;
  /** How many pushes the device has taken, of those that have these fields. */
  copiesOf(device: PushDevice, fields: Readonly<Record<string, unknown>>): number;
  /** Unsubscribes the device: its endpoint is not found from now on. */
  remove(device: PushDevice): void;
  stop(): Promise<void>;
}

interface Subscription {
  device: PushDevice;
  privateKey: ReturnType<typeof createECDH>;
  applicationServerKey: string | undefined;
  answer: PushAnswer | null;
}

const RequestHeaders = z.object({
  ttl: z.string().regex(/^\d+$/),
  urgency: z.enum(["very-low", "low", "normal", "high"]),
  topic: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .optional(),
  "content-encoding": z.literal("aes128gcm"),
  authorization: z.string(),
});

/** A request that is no push, and the status that it gets. */
class Fault extends Error {
  constructor(
    readonly status: number,
    text: string,
  ) {
    super(text);
  }
}

/** Starts a push service on a free port of this machine. */
export async function startPushService(): Promise<TestPushService> {
  const subscriptions = new Map<string, Subscription>();
  const pushes: (ReceivedPush & { status: number | null })[] = [];
  const faults: string[] = [];
  let origin = "";

  /** @throws Fault */
  async function read(request: IncomingMessage) {
    const body = await buffer(request);
    if (request.method !== "POST") throw new Fault(405, `${request.method} is no push`);
    const subscription = subscriptions.get(request.url ?? "");
    if (subscription === undefined) throw new Fault(404, `nobody subscribed ${request.url}`);
    const headers = RequestHeaders.safeParse(request.headers);
    if (!headers.success) throw new Fault(400, headers.error.message);
    const { device, privateKey, applicationServerKey } = subscription;
    const key = checked(403, () => checkVapid(headers.data.authorization, origin));
    if (applicationServerKey !== undefined && key !== applicationServerKey)
      throw new Fault(403, "the device was subscribed with another key");
    if (body.length > bodyBytesMax) throw new Fault(413, `${body.length} bytes are more than ${bodyBytesMax}`);
    const payload = checked<unknown>(400, () =>
      JSON.parse(decrypt(body, { version: "aes128gcm", privateKey, authSecret: device.keys.auth }).toString()),
    );
    const push = { device, headers: request.headers, payload, at: Date.now(), status: null };
    return { push, answer: subscription.answer };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { push, answer } = await read(request);
      const received: ReceivedPush & { status: number | null } = push;
      pushes.push(received);
      if (answer === "hang") return;
      const { status, retryAfter } = answer ?? { status: 201 };
      received.status = status;
      if (status === 201) response.setHeader("location", `${origin}/messages/${randomUUID()}`);
      if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
      response.writeHead(status).end();
    } catch (error) {
      // A sender that died in the middle of its request has sent no push.
      if (request.destroyed && !request.complete) return;
      const { status, message } = error instanceof Fault ? error : new Fault(500, String(error));
      // A device that is gone is nothing that a sender does wrong.
      if (status !== 404) faults.push(message);
      response.writeHead(status).end(message);
    }
  }

  const server = createServer((request, response) => void serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The push service has no port");
  origin = `http://127.0.0.1:${address.port}`;

  const subscriptionOf = ({ endpoint }: PushDevice): Subscription => {
    const subscription = subscriptions.get(new URL(endpoint).pathname);
    if (subscription === undefined) throw new Error(`nobody subscribed ${endpoint}`);
    return subscription;
  };

  return {
    get origin() {
      return origin;
    },
    pushes,
    faults,
    makeDevice(applicationServerKey) {
      const privateKey = createECDH("prime256v1");
      const path = `/push/${randomUUID()}`;
      const device = {
        endpoint: `${origin}${path}`,
        keys: { p256dh: privateKey.generateKeys("base64url"), auth: randomBytes(16).toString("base64url") },
      };
      subscriptions.set(path, { device, privateKey, applicationServerKey, answer: null });
      return device;
    },
    answer(device, answer) {
      subscriptionOf(device).answer = answer;
    },
    copiesOf: ({ endpoint }, fields) =>
      pushes.filter(
        ({ device, payload, status }) =>
          device.endpoint === endpoint && status !== null && status < 300 && hasFields(payload, fields),
      ).length,
    remove({ endpoint }) {
      subscriptions.delete(new URL(endpoint).pathname);
    },
    stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      return closed;
    },
  };
}

/** @throws Fault with this status when the check throws */
function checked<Value>(status: number, check: () => Value): Value {
  try {
    return check();
  } catch (error) {
    throw new Fault(status, String(error));
  }
}

function hasFields(payload: unknown, fields: Readonly<Record<string, unknown>>): boolean {
  const found = new Map(Object.entries(Object(payload)));
  return Object.entries(fields).every(([name, value]) => found.get(name) === value);
}
