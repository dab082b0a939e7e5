import type { Message } from "@parley/contracts";
import {
  createClient,
  createServerWithMembers,
  postMessage,
  type StackOptions,
  startStack,
  type TestStack,
} from "@parley/testing";
import type { TestContext } from "vitest";
import { type ReceivedDelivery, startReceiver } from "../stages/webhook-receiver.js";

type OnTestFinished = TestContext["onTestFinished"];

/** Starts a stack of the test's own. */
export async function startDispatchers(
  webhookDispatchers: number,
  onTestFinished: OnTestFinished,
  limits: StackOptions["limits"] = {},
) {
  const stack = await startStack({ apis: 1, gateways: 0, webhookDispatchers, limits });
  onTestFinished(stack.stop);
  return createDispatchersStage(stack, onTestFinished);
}

/** A server on a stack with dispatchers, for one test. */
export async function createDispatchersStage(stack: Omit<TestStack, "stop">, onTestFinished: OnTestFinished) {
  const client = createClient(stack.edgeUrl);
  const fixture = await createServerWithMembers(client, 0);
  const dispatcher = (n: number) => {
    const process = stack.webhookDispatchers[n];
    if (process === undefined) throw new Error("no such dispatcher");
    return process;
  };
  const metricOf = async (n: number, name: string) => {
    const text = await (await fetch(`${dispatcher(n).url}/metrics`)).text();
    return Number(new RegExp(`^${name}[^ ]* (\\d+)`, "m").exec(text)?.[1] ?? 0);
  };
  return {
    ...fixture,
    stack,
    client,
    dispatcher,
    metricOf,
    deliveredBy: (n: number) => metricOf(n, 'webhook_deliveries_total\\{outcome="delivered"'),
    receiver: async (...options: Parameters<typeof startReceiver>) => {
      const receiver = await startReceiver(...options);
      onTestFinished(receiver.close);
      return receiver;
    },
    post: async (count: number): Promise<Message[]> => {
      const messages: Message[] = [];
      while (messages.length < count) {
        const texts = Array.from({ length: Math.min(20, count - messages.length) }, (_, n) => `${messages.length + n}`);
        const posted = texts.map((text) => postMessage(fixture.owner, fixture.channel.id, text));
        messages.push(...(await Promise.all(posted)));
      }
      return messages;
    },
  };
}

/** The key of a delivery, the same in each of its attempts. */
export const keyOf = ({ headers }: ReceivedDelivery) => String(headers["x-service-delivery-id"]);
