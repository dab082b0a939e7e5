import { DmChannel, type PushSubscription } from "@parley/contracts";
import {
  createClient,
  type PushDevice,
  postMessage,
  type RestClient,
  type SharedStack,
  sharedStack,
  startPushService,
  type TestPushService,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { runSql } from "./admin-stage.js";
import { subscribe } from "./push-subscription-stage.js";

const MessagePush = z.strictObject({
  type: z.literal("message"),
  title: z.string(),
  text: z.string().optional(),
  server_id: z.string().nullable(),
  channel_id: z.string(),
  message_id: z.string(),
  url: z.string(),
  tag: z.string(),
  count: z.int(),
});
type MessagePush = z.infer<typeof MessagePush>;
const ReadPush = z.strictObject({ type: z.literal("read"), tag: z.string() });

/** A device of an account. */
export interface Phone {
  readonly device: PushDevice;
  readonly subscription: PushSubscription;
  /** The pushes that it has taken, in order. */
  pushes(): z.infer<typeof MessagePush | typeof ReadPush>[];
  /** The pushes about messages. */
  messages(): MessagePush[];
  /** Resolves with the push whose text is this, once it is there. */
  pushed(text: string): Promise<MessagePush>;
}

/** Subscribes a device of an account at a push service. */
export async function subscribePhone(service: TestPushService, user: RestClient): Promise<Phone> {
  const device = service.makeDevice();
  const subscription = await subscribe(user, device);
  const pushes = () =>
    service.pushes
      .filter((push) => push.device.endpoint === device.endpoint && push.status !== null && push.status < 300)
      .map(({ payload }) => z.union([MessagePush, ReadPush]).parse(payload));
  const messages = () => pushes().filter((push) => push.type === "message");
  return {
    device,
    subscription,
    pushes,
    messages,
    async pushed(content) {
      const find = () => messages().find(({ text }) => text === content);
      await waitUntil(() => find() !== undefined, { timeoutMs: 30_000, what: `a push of “${content}”` });
      return MessagePush.parse(find());
    },
  };
}

/** Opens the channel of direct messages with somebody. */
export const openDirect = async (by: RestClient, other: UserClient) =>
  (await by.post("/dm-channels", { user_id: other.user.id })).expect(201, DmChannel);

export async function sendDirect(by: RestClient, channelId: string, content: string): Promise<void> {
  expect((await by.post(`/dm-channels/${channelId}/messages`, { content })).status).toBe(201);
}

/** A push service for the tests of a file, on the shared stack unless another one is given, which is there from `beforeAll` on. */
export function usePushStage(stackOfTests: () => Promise<SharedStack> = sharedStack) {
  let stack: SharedStack;
  let service: TestPushService;
  let client: RestClient;
  beforeAll(async () => {
    stack = await stackOfTests();
    client = createClient(stack.edgeUrl, { prefix: "/api" });
    service = await startPushService();
  });
  afterAll(async () => {
    expect(service?.faults).toEqual([]);
    await service?.stop();
  });
  let markers = 0;
  const sql = (text: string, { subscription: { id } }: Phone) => runSql(stack.databaseUrl, text, [id]);
  return {
    /** Runs a statement about a device, whose id is `$1`. */
    sql,
    get stack() {
      return stack;
    },
    get service() {
      return service;
    },
    get client() {
      return client;
    },
    phoneOf: (user: RestClient) => subscribePhone(service, user),
    /**
     * Resolves once every earlier push to the device has arrived, or never will: then the push of a direct message that
     * is sent now arrives, because a device gets pushes in the order in which they are due.
     */
    async settled(user: UserClient, phone: Phone): Promise<void> {
      markers += 1;
      const friend = await client.register();
      const { id } = await openDirect(friend, user);
      await sendDirect(friend, id, `Marker ${markers}`);
      await phone.pushed(`Marker ${markers}`);
    },
    /** Sets the pause after the last push of each channel to an hour, instead of five seconds. */
    async prolongPause(phone: Phone): Promise<void> {
      const prolong = `UPDATE pushed_channels SET pushed_at = pushed_at + interval '1 hour'
        WHERE subscription_id = $1 RETURNING channel_id`;
      await waitUntil(async () => (await sql(prolong, phone)).length > 0, { what: "a push that is noted" });
    },
    /** Resolves with the waiting messages once there are so many: seconds until each is due, since it was noted and the last push. */
    waiting: (phone: Phone, count: number) =>
      waitUntil(
        async () => {
          const rows = await sql(
            `SELECT extract(epoch FROM p.due_at - p.created_at)::float8 AS since_noted,
              extract(epoch FROM p.due_at - c.pushed_at)::float8 AS since_pushed
            FROM pushes p LEFT JOIN pushed_channels c USING (subscription_id, channel_id)
            WHERE p.subscription_id = $1 AND p.due_at > now() ORDER BY p.message_id`,
            phone,
          );
          return rows.length === count && rows;
        },
        { what: `${count} messages that wait` },
      ),
    /** Passes over everything that the messages for a device wait for. */
    async makeDue(phone: Phone): Promise<void> {
      await sql(
        "UPDATE pushed_channels SET pushed_at = now() - interval '5 seconds' WHERE subscription_id = $1",
        phone,
      );
      await sql("UPDATE push_subscriptions SET retry_at = NULL WHERE id = $1", phone);
      await sql("UPDATE pushes SET due_at = now() WHERE subscription_id = $1 AND due_at IS NOT NULL", phone);
    },
    /** Resolves once no row for the device is still to be sent. */
    async idle(phone: Phone): Promise<void> {
      const isIdle = async () => {
        const busy = await sql(
          `SELECT FROM push_subscriptions s WHERE s.id = $1 AND (s.busy_until IS NOT NULL
            OR EXISTS (SELECT FROM pushes p WHERE p.subscription_id = s.id AND p.due_at IS NOT NULL))`,
          phone,
        );
        return busy.length === 0;
      };
      await waitUntil(isIdle, { timeoutMs: 30_000, what: "an idle device" });
    },
    /** Sends a message that mentions somebody. */
    mention: (by: RestClient, channelId: string, { user }: UserClient, text: string) =>
      postMessage(by, channelId, `@${user.username} ${text}`),
  };
}
