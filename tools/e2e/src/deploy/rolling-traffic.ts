import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { events as gatewayEvents, Message } from "@parley/contracts";
import { connectGateway, type RestClient, type ServerFixture, type UserClient } from "@parley/testing";

/** A message that was answered with 201. */
interface SentMessage {
  readonly id: string;
  readonly sentAtMs: number;
  readonly answeredAtMs: number;
}

/** One connection of a client, from READY to its end. */
export interface Visit {
  readonly readyAtMs: number;
  closedAtMs: number;
  closeCode: number;
  readonly received: Set<string>;
}

/** Users who write and read without pause until the test stops them. */
export interface Writers {
  readonly sent: readonly SentMessage[];
  /** Every answer that was not 2xx, and every request that got none. */
  readonly failures: readonly string[];
  readonly requests: () => number;
  readonly stop: () => Promise<void>;
}

/**
 * Sends POST and GET in turn, each author after the answer to the last one.
 *
 * @param options.withNonces makes each POST one that the edge may repeat (docs/interface.md#21)
 */
export function startWriters(authors: readonly RestClient[], channelId: string, { withNonces = false } = {}): Writers {
  const sent: SentMessage[] = [];
  const failures: string[] = [];
  let requests = 0;
  let stopped = false;

  async function write(author: RestClient): Promise<void> {
    while (!stopped) {
      requests += 2;
      const sentAtMs = performance.now();
      try {
        const nonce = withNonces ? { nonce: randomUUID() } : {};
        const posted = await author.post(`/channels/${channelId}/messages`, { content: `at ${sentAtMs}`, ...nonce });
        // What an earlier attempt of the edge has stored is answered with 200.
        const status = withNonces && posted.status === 200 ? 200 : 201;
        sent.push({ id: posted.expect(status, Message).id, sentAtMs, answeredAtMs: performance.now() });
        const read = await author.get(`/channels/${channelId}/messages?limit=1`);
        if (read.status !== 200) failures.push(`GET ${read.status}`);
      } catch (error) {
        const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
        failures.push(`${String(error)}${cause}`);
      }
      await pause(5);
    }
  }

  const writing = Promise.all(authors.map(write));
  return {
    sent,
    failures,
    requests: () => requests,
    stop: async () => {
      stopped = true;
      await writing;
    },
  };
}

/** A client that stays connected as browsers do: when its connection ends it comes back. */
export interface StayingClient {
  readonly user: UserClient;
  readonly visits: readonly Visit[];
  readonly connected: () => boolean;
  /** Whether the connection of the moment has received a message. */
  readonly has: (messageId: string) => boolean;
  /** The users whose presence has arrived so far, on all connections. */
  readonly presences: () => string[];
  readonly stop: () => Promise<void>;
}

/** @param options.isNumbered whether its connections are those of a client that continues (docs/protocol/continuing.md#19.1) */
export function stayConnected(url: string, user: UserClient, { isNumbered = false } = {}): StayingClient {
  const visits: Visit[] = [];
  const presences: string[] = [];
  const query = `token=${encodeURIComponent(user.accessToken)}${isNumbered ? "&s=" : ""}`;
  let current: ReturnType<typeof connectGateway> | null = null;
  let isReady = false;
  let stopped = false;

  async function stay(): Promise<void> {
    while (!stopped) {
      const connection = connectGateway(url, user.accessToken, { query });
      current = connection;
      const ready = await connection.ready.then(
        () => true,
        () => false,
      );
      if (!ready) {
        await pause(50);
        continue;
      }
      isReady = true;
      const visit: Visit = { readyAtMs: performance.now(), closedAtMs: Infinity, closeCode: 0, received: new Set() };
      visits.push(visit);
      const { code } = await connection.closed;
      isReady = false;
      current = null;
      visit.closedAtMs = performance.now();
      visit.closeCode = code;
      for (const id of receivedMessages(connection.events)) visit.received.add(id);
      presences.push(...receivedPresences(connection.events));
    }
  }

  const staying = stay();
  return {
    user,
    visits,
    connected: () => isReady,
    presences: () => [...presences, ...receivedPresences(current?.events ?? [])],
    has: (messageId) => current !== null && receivedMessages(current.events).includes(messageId),
    stop: async () => {
      stopped = true;
      await current?.close();
      await staying;
    },
  };
}

function receivedMessages(events: ReturnType<typeof connectGateway>["events"]): string[] {
  return events.filter(({ name }) => name === "MESSAGE_CREATE").map(({ payload }) => Message.parse(payload).id);
}

function receivedPresences(events: ReturnType<typeof connectGateway>["events"]): string[] {
  const presences = events.filter(({ name }) => name === "PRESENCE_UPDATE");
  return presences.map(({ payload }) => gatewayEvents.PRESENCE_UPDATE.payload.parse(payload).user_id);
}

/** The ids of a channel's messages, oldest first, by paging back through its history. */
export async function readHistory({ owner, channel }: ServerFixture): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const before = ids.length === 0 ? "" : `&before=${ids.at(-1)}`;
    const answer = await owner.get(`/channels/${channel.id}/messages?limit=100${before}`);
    const page = answer.expect(200, Message.array());
    ids.push(...page.map(({ id }) => id));
    if (page.length < 100) return ids.reverse();
  }
}
