import { Webhook, WebhookDelivery } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  type MortalStack,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  type StackOptions,
  sharedStack,
  startStack,
  type TestStack,
  useMortalStack,
  waitUntil,
} from "@parley/testing";
import { beforeAll, beforeEach } from "vitest";
import { z } from "zod";

/** A server on a stack with webhook dispatchers. */
export interface WebhookStage<Stack extends SharedStack = TestStack> extends ServerFixture {
  readonly stack: Stack;
  readonly client: RestClient;
}

/** Runs a stack during the tests of the file; each test has a server of its own there. */
export function useOwnWebhookStage(options: StackOptions): WebhookStage {
  return useStage(async () => {
    const stack = await startStack({ gateways: 0, ...options });
    return { stack, stop: stack.stop };
  });
}

/** The same on the stack whose processes tests may end. */
export function useMortalWebhookStage(): WebhookStage<MortalStack> {
  const mortal = useMortalStack();
  return useStage(async () => ({ stack: mortal.stack, stop: async () => undefined }));
}

/** The same on the shared stack. */
export function useWebhookStage(): WebhookStage<SharedStack> {
  return useStage(async () => ({ stack: await sharedStack(), stop: async () => undefined }));
}

function useStage<Stack extends SharedStack>(
  start: () => Promise<{ stack: Stack; stop: () => Promise<void> }>,
): WebhookStage<Stack> {
  let stack: Stack;
  let client: RestClient;
  let fixture: ServerFixture;
  beforeAll(async () => {
    const started = await start();
    stack = started.stack;
    client = createClient(stack.edgeUrl, { prefix: "/api" });
    return started.stop;
  });
  beforeEach(async () => {
    fixture = await createServerWithMembers(client, 0);
  });
  return {
    get stack() {
      return stack;
    },
    get client() {
      return client;
    },
    get owner() {
      return fixture.owner;
    },
    get members() {
      return fixture.members;
    },
    get server() {
      return fixture.server;
    },
    get channel() {
      return fixture.channel;
    },
  };
}

/** A webhook's delivery log, newest first. */
export async function readLog(by: RestClient, { server_id, id }: Webhook): Promise<WebhookDelivery[]> {
  const answer = await by.get(`/servers/${server_id}/webhooks/${id}/deliveries`);
  return answer.expect(200, z.strictObject({ deliveries: z.array(WebhookDelivery.strict()) })).deliveries;
}

/** Sends a ping and resolves with its log entry once its first attempt has ended. */
export async function pingOnce(by: RestClient, webhook: Webhook): Promise<WebhookDelivery> {
  const answer = await by.post(`/servers/${webhook.server_id}/webhooks/${webhook.id}/test`);
  answer.expect(202, z.object({ message: z.string() }));
  return waitUntil(async () => (await readLog(by, webhook))[0], { what: "the end of an attempt" });
}

export const CreatedWebhook = z.strictObject({ webhook: Webhook.strict(), secret: z.string().regex(/^[0-9a-f]{64}$/) });

/** Creates a webhook for all message events. */
export async function createWebhook(
  by: RestClient,
  serverId: string,
  fields: { url: string; name?: string; event_types?: string[] },
): Promise<z.infer<typeof CreatedWebhook>> {
  const body = { name: "CI", event_types: ["message.created", "message.updated", "message.deleted"], ...fields };
  return (await by.post(`/servers/${serverId}/webhooks`, body)).expect(201, CreatedWebhook);
}

/** Creates webhooks for all message events, with one address. */
export async function createWebhooks({ owner, server }: ServerFixture, count: number, url: string): Promise<Webhook[]> {
  const created: Webhook[] = [];
  while (created.length < count) created.push((await createWebhook(owner, server.id, { url })).webhook);
  return created;
}
