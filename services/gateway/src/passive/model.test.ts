import { createRandom, modelSteps, seed, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { publish } from "../gateway-fixture.js";
import { type Seen, ViewingClient } from "./model-client-fixture.js";
import { type PassiveStage, startPassiveStage, unreadStatement } from "./passive-fixture.js";

const stepsCount = Number(process.env.PASSIVE_MODEL_STEPS ?? modelSteps(600));
const usersCount = 6;

let stage: PassiveStage;
beforeAll(async () => {
  // With six users it is passive now and then.
  stage = await startPassiveStage({ above: 4, below: 4 });
});
afterAll(() => stage.stop());

/** A message of the model, in the order of the stream with the marks that every member gets. */
type Posted =
  | { kind: "message"; id: string; channelId: string; concerns: ReadonlySet<string> | "everyone" }
  | { kind: "mark"; id: string };

/** The channels that a client showed, and whether the server was passive for it. */
interface State {
  shown: ReadonlySet<string>;
  isPassive: boolean;
}

test(`clients that join, leave, view and continue at random get exactly what they show and what concerns them, and count right, with seed ${seed}`, async () => {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[Math.floor(random() * items.length)];
    if (item === undefined) throw new Error("nothing to pick from");
    return item;
  };
  const { users, server_id, places } = await stage.place({ members: usersCount });
  await stage.comeBack(users, places);
  const roleId = await stage.rows.role(server_id);
  const holders = users.slice(2, 4);
  for (const userId of holders) await stage.rows.giveRole(server_id, userId, roleId);
  const clients = users.map((userId) => new ViewingClient(userId, holders.includes(userId) ? [roleId] : []));
  const posted: Posted[] = [];
  const times = [new Date()];
  const [{ messaging }] = stage.nodes;

  /** An event for every member that divides earlier posts from later ones. */
  const mark = async () => {
    const [channel_id = ""] = [crypto.randomUUID()];
    posted.push({ kind: "mark", id: channel_id });
    await publish(messaging, "MEMBER_TIMEOUT_REMOVE", { server_id }, { server_id, user_id: channel_id });
    return channel_id;
  };
  /** Every connected client has everything that was sent. */
  const settle = async () => {
    const id = await mark();
    await Promise.all(
      clients.map((client) => client.until(({ t, d }) => t === "MEMBER_TIMEOUT_REMOVE" && d.user_id === id)),
    );
  };
  const post = async () => {
    const [place, author] = [pick(places), pick(users)];
    const kind = random();
    const named = kind < 0.2 ? [pick(users)] : [];
    const answered = kind > 0.2 && kind < 0.4 ? pick(users) : undefined;
    const isForAll = kind > 0.95;
    const isForRole = kind > 0.4 && kind < 0.55;
    const { id, created_at } = await stage.post(
      place,
      "x",
      {
        author_id: author,
        mention_user_ids: named,
        mention_everyone: isForAll,
        ...(isForRole && { mention_role_ids: [roleId] }),
      },
      { answers: answered },
    );
    times.push(new Date(created_at));
    const others = [...named, ...(answered === undefined ? [] : [answered]), ...(isForRole ? holders : [])];
    const concerns = isForAll ? "everyone" : new Set([author, ...others]);
    posted.push({ kind: "message", id, channelId: place.channel_id, concerns });
  };
  const change = async (client: ViewingClient) => {
    const kind = random();
    if (!client.isConnected) {
      // Earlier posts may be in READY, and arrive after it.
      await settle();
      await client.connect(pick(stage.nodes));
    } else if (kind < 0.5) {
      client.view(places.filter(() => random() < 0.4).map(({ channel_id }) => channel_id));
    } else if (kind < 0.8) {
      await client.lose();
      if (random() < 0.8) for (let more = random() * 4; more > 1; more -= 1) await post();
      await client.connect(pick(stage.nodes));
    } else if (kind < 0.85) {
      await settle();
      // Up to now, or as far as some earlier post.
      const upTo = random() < 0.5 ? undefined : pick(times);
      await stage.ack(client.userId, pick(places), upTo);
      await settle();
    } else {
      await client.leave();
    }
  };

  for (const client of clients.slice(0, 3)) await client.connect(pick(stage.nodes));
  for (let step = 0; step < stepsCount; step += 1) {
    // For a third of the time half of the users are away, so the server is passive no longer.
    const isQuiet = step % 60 >= 40;
    const active = isQuiet ? clients.slice(0, 3) : clients;
    if (step % 60 === 40) for (const client of clients.slice(3)) if (client.isConnected) await client.leave();
    if (random() < 0.7) await post();
    else await change(pick(active));
    if (random() < 0.4) await mark();
  }
  for (const client of clients) if (!client.isConnected) await change(client);
  await settle();
  const rows = await stage.database.query(unreadStatement, [server_id]);
  const wrong = () => {
    for (const client of clients) client.take();
    return rows.flatMap(({ channel_id, user_id, ...counts }) => {
      const counted = clients.find(({ userId }) => userId === user_id)?.countsOf(channel_id);
      return JSON.stringify(counted) === JSON.stringify(counts) ? [] : [{ user_id, channel_id, counts, counted }];
    });
  };
  await waitUntil(() => wrong().length === 0, { what: "the right counts", timeoutMs: 15_000 }).catch(() =>
    expect(wrong()).toEqual([]),
  );
  for (const client of clients) expectExact(client, posted, server_id);
  for (const client of clients) await client.leave();
}, 180_000);

/** The client got exactly the posts that it was due, in order and once. */
function expectExact({ userId, seen }: ViewingClient, posted: readonly Posted[], serverId: string): void {
  const placeOf = new Map(posted.map(({ id }, index) => [id, index]));
  let latest = -1;
  const got = new Set<string>();
  /** States in which the client was between two things that it got, or at one of them. */
  let states: State[] = [];
  let isKnown = false;
  const due = (from: number, to: number) => {
    for (let index = from + 1; index < to; index += 1) {
      const message = posted[index];
      if (message?.kind !== "message" || !isKnown) continue;
      const isDue = ({ shown, isPassive }: State) =>
        !isPassive || shown.has(message.channelId) || message.concerns === "everyone" || message.concerns.has(userId);
      if (states.every(isDue)) expect.soft(got.has(message.id), `${userId} lacks message ${index}`).toBe(true);
    }
  };
  for (const step of seen) {
    if (step.kind === "lost") {
      // Which VIEW the server had taken is not known.
      if (step.isViewOpen) states.push({ shown: new Set(), isPassive: true });
    } else if (step.kind === "begun") {
      const shown = new Set(step.view.filter((id) => states.every((one) => one.shown.has(id))));
      states.push({ shown, isPassive: true });
      // The replay precedes the frame that says so.
      if (!isPassiveBehind(seen, step, serverId)) states.push({ shown, isPassive: false });
    } else {
      const { t, d } = step.frame;
      if (t === "READY" || t === "RESUMED" || t === "VIEW_ACK") {
        const isPassive = Array.isArray(d.passive) && d.passive.includes(serverId);
        const shown =
          t === "VIEW_ACK" && Array.isArray(d.channel_ids) ? new Set(d.channel_ids.map(String)) : viewOf(seen, step);
        if (t === "READY") isKnown = false;
        states.push({ shown, isPassive });
        continue;
      }
      const id = t === "MESSAGE_CREATE" ? d.id : t === "MEMBER_TIMEOUT_REMOVE" ? d.user_id : null;
      const place = placeOf.get(String(id));
      if (place === undefined) continue;
      expect(place, `${userId} gets message ${place} behind ${latest}`).toBeGreaterThan(latest);
      const message = posted[place];
      if (message?.kind === "message") {
        const mayGet = ({ shown, isPassive }: State) =>
          !isPassive || shown.has(message.channelId) || message.concerns === "everyone" || message.concerns.has(userId);
        if (isKnown)
          expect
            .soft(states.some(mayGet) || wasListed(seen, step, message.channelId), `${userId} gets message ${place}`)
            .toBe(true);
        got.add(message.id);
      }
      due(latest, place);
      latest = place;
      isKnown = true;
      states = states.slice(-1);
    }
  }
}

/** Whether the first frame of a connection says that the server is passive. */
function isPassiveBehind(seen: readonly Seen[], begun: Seen, serverId: string): boolean {
  for (const step of seen.slice(seen.indexOf(begun))) {
    if (step.kind !== "frame" || (step.frame.t !== "READY" && step.frame.t !== "RESUMED")) continue;
    const { passive } = step.frame.d;
    return Array.isArray(passive) && passive.includes(serverId);
  }
  return false;
}

/** The channels that a connection named when it began. */
function viewOf(seen: readonly Seen[], step: Seen): ReadonlySet<string> {
  const begun = seen.slice(0, seen.indexOf(step)).findLast(({ kind }) => kind === "begun");
  return new Set(begun?.kind === "begun" ? begun.view : []);
}

/** Whether a channel was named when the connection of a frame began: it may be taken for one that was in view before. */
const wasListed = (seen: readonly Seen[], step: Seen, channelId: string): boolean => viewOf(seen, step).has(channelId);
