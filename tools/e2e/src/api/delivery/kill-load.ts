import { createClient as createParleyClient } from "@parley/client";
import { Message } from "@parley/contracts";
import type { ServerFixture, UserClient } from "@parley/testing";

/** A message that was answered with 201. */
export interface Posted {
  readonly id: string;
  readonly content: string;
  readonly answeredAtMs: number;
}

/** A request that was answered otherwise, or not at all. */
export interface Failure {
  readonly atMs: number;
  readonly why: string;
}

/** A member with a numbered connection, who stays connected, and the events of all connections. */
export function stayConnected(baseUrl: string, { accessToken, refreshToken }: UserClient) {
  const gateway = createParleyClient({ baseUrl, tokens: { accessToken, refreshToken } }).gateway({
    backoff: { baseMs: 200, maxMs: 200 },
  });
  const contents: string[] = [];
  /** When a message came first, by its id. */
  const receivedAtMs = new Map<string, number>();
  const counts = { ready: 0, resumed: 0, absences: 0 };
  gateway.on("READY", () => (counts.ready += 1));
  gateway.on("RESUMED", () => (counts.resumed += 1));
  gateway.on("MESSAGE_CREATE", ({ id, content }) => {
    contents.push(content);
    if (!receivedAtMs.has(id)) receivedAtMs.set(id, performance.now());
  });
  gateway.on("PRESENCE_UPDATE", ({ status }) => (counts.absences += status === "online" ? 0 : 1));
  return { connected: gateway.connect(), contents, receivedAtMs, counts, close: () => gateway.close() };
}

/**
 * Posts at a constant rate until the caller stops it. No request is repeated.
 *
 * @param load.messagesPerSecond fewer when answers are late: at most `postingMax` are under way
 */
export function startPosting(
  { owner, channel }: ServerFixture,
  { messagesPerSecond, postingMax }: { messagesPerSecond: number; postingMax: number },
) {
  const posted: Posted[] = [];
  const failures: Failure[] = [];
  const underWay = new Set<Promise<void>>();
  const startedAt = performance.now();
  let begun = 0;
  const post = async () => {
    const answer = await owner.post(`/channels/${channel.id}/messages`, { content: `message ${begun++}` });
    const { id, content } = answer.expect(201, Message);
    posted.push({ id, content, answeredAtMs: performance.now() });
  };
  const postDue = () => {
    const due = ((performance.now() - startedAt) / 1_000) * messagesPerSecond;
    while (begun < due && underWay.size < postingMax) {
      const posting: Promise<void> = post()
        .catch((error) => void failures.push({ atMs: performance.now(), why: String(error) }))
        .then(() => void underWay.delete(posting));
      underWay.add(posting);
    }
  };
  const timer = setInterval(postDue, 5);
  return {
    posted,
    failures,
    /** @returns the posted messages, in the order of history */
    async stop(): Promise<readonly Posted[]> {
      clearInterval(timer);
      await Promise.all(underWay);
      // Identifiers of version 7 ascend in the order of history.
      return posted.sort((one, other) => (one.id < other.id ? -1 : 1));
    },
  };
}
