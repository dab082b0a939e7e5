import { Invite, Ready } from "@parley/contracts";
import { connectGateway, type RestClient, type TestStack, waitUntil } from "@parley/testing";
import { z } from "zod";
import { differences } from "./differences.js";
import { filter, type Lists, map } from "./lists.js";
import type { ModelClient, ModelUser } from "./model-client.js";
import { changesOfRights, operations } from "./operations.js";
import { readLists } from "./read-lists.js";
import type { Scene } from "./scene.js";

/** A user who acts, by either api. */
export interface Actor {
  readonly userId: string;
  readonly password: string;
  readonly apis: readonly RestClient[];
  /** One of their clients, with lists of everything that they see. */
  readonly model: ModelClient;
}

export interface World {
  readonly stack: TestStack;
  readonly actors: readonly Actor[];
  readonly models: readonly ModelClient[];
  /** Servers by id. */
  readonly serverIds: string[];
  readonly random: () => number;
}

/** How often a name of an operation was answered with success. */
export type Counts = Map<string, number>;

const owned = z.object({ id: z.string(), owner_id: z.string() });

export function createPick(random: () => number) {
  return <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
}

/** Does several operations at the same time; their choices are made before the first begins. */
export async function runBatch(world: World, size: number, counts: Counts): Promise<string[]> {
  const pick = createPick(world.random);
  const names = Object.entries(operations).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));
  const began: [string, Promise<{ status: number; body: unknown }>][] = [];
  let changesRights = false;
  while (began.length < size) {
    const name = pick(names) ?? "";
    if (changesOfRights.has(name)) {
      if (changesRights) continue;
      changesRights = true;
    }
    const scene = sceneOf(world, began.length);
    const operation = scene === null ? null : (operations[name]?.[1](scene) ?? null);
    if (operation !== null) began.push([name, operation]);
    else if (scene === null) break;
  }
  const done: string[] = [];
  for (const [name, answer] of began) {
    const { status, body } = await answer;
    if (status >= 500) throw new Error(`${name} was answered ${status}: ${JSON.stringify(body)}`);
    if (status < 300) counts.set(name, (counts.get(name) ?? 0) + 1);
    done.push(`${name} ${status}`);
  }
  return done;
}

let number = 0;

/** A member in a server that they see; half of the time the owner, who may do everything. */
function sceneOf({ actors, serverIds, random }: World, at: number): Scene | null {
  const pick = createPick(random);
  const serverId = pick(serverIds) ?? "";
  const inside = actors.filter(({ model }) => model.lists?.servers[serverId] !== undefined);
  const owner = inside.find(({ userId, model }) => model.lists?.servers[serverId]?.server.owner_id === userId);
  const actor = (random() < 0.5 ? owner : undefined) ?? pick(inside);
  const as = actor?.apis[at % 2];
  const lists = actor?.model.lists;
  const server = lists?.servers[serverId];
  if (actor === undefined || as === undefined || !lists || server === undefined) return null;
  number += 1;
  const { userId, password } = actor;
  return { as, userId, password, lists, server, everybody: actors.map((one) => one.userId), number, random, pick };
}

/** Users outside of a server come back, through either endpoint. */
export async function rejoin({ actors, serverIds, random }: World): Promise<void> {
  for (const serverId of serverIds) {
    for (const { model, apis, userId } of actors) {
      if (model.lists?.servers[serverId] !== undefined || random() < 0.5) continue;
      const owner = await findOwner(actors, serverId);
      await owner?.apis[0]?.delete(`/servers/${serverId}/bans/${userId}`);
      const invite = await owner?.apis[0]?.post(`/servers/${serverId}/invites`, { max_uses: 1 });
      if (invite === undefined || random() < 0.5) await apis[1]?.post(`/servers/${serverId}/join`);
      else await apis[0]?.post(`/invites/${invite.expect(201, Invite).code}/accept`);
    }
  }
}

/** The owner at the moment, whom a client that is away may not know of. */
async function findOwner(actors: readonly Actor[], serverId: string): Promise<Actor | undefined> {
  for (const { apis } of actors) {
    const answer = await apis[0]?.get(`/servers/${serverId}`);
    if (answer?.status !== 200) continue;
    const { owner_id } = answer.expect(200, owned);
    return actors.find(({ userId }) => userId === owner_id);
  }
  return undefined;
}

/**
 * Resolves when every client that is not away has all events so far, and has read its stale lists again: an invite of
 * each server marks the place in its events.
 */
export async function settle({ actors, models, serverIds }: World): Promise<void> {
  const present = () => models.filter(({ isAway }) => !isAway);
  const isConnected = () => present().every((model) => model.isConnected);
  for (;;) {
    await waitUntil(isConnected, { what: "everybody to be connected", timeoutMs: 30_000 });
    const readies = present().reduce((sum, { readies }) => sum + readies, 0);
    const marks = await Promise.all(serverIds.map((id) => mark(actors, id)));
    const hasAll = (model: ModelClient) =>
      model.serverIds().every((id) => marks.every((one) => one.serverId !== id || model.has(one.id)));
    const isAnew = () => present().reduce((sum, model) => sum + model.readies, 0) !== readies || !isConnected();
    await waitUntil(() => isAnew() || present().every(hasAll), { what: "the marks of all servers", timeoutMs: 30_000 });
    if (isAnew()) continue;
    for (const model of present()) await model.readWhatIsStale();
    return;
  }
}

async function mark(actors: readonly Actor[], serverId: string): Promise<{ serverId: string; id: string }> {
  for (const { apis } of actors) {
    const answer = await apis[0]?.post(`/servers/${serverId}/invites`, { max_uses: 1 });
    if (answer?.status !== 201) continue;
    const { id } = answer.expect(201, Invite);
    return { serverId, id };
  }
  throw new Error("Nobody may mark a place in the events of the server.");
}

/** Every client that is not away has the same lists as a fresh read. */
export async function compare({ models, stack }: World): Promise<void> {
  const failures: string[] = [];
  for (const model of models.filter(({ isAway }) => !isAway)) {
    const { user } = model;
    const fresh = await readFresh(user, stack.gateways[0]?.url ?? "");
    const differ = () => differences(...alike(model, fresh));
    // The events to one user are not behind the marks of servers.
    const timeoutMs = failures.length === 0 ? 20_000 : 0;
    const isAlike = async () => {
      // A server that was joined just now is read when SERVER_JOIN has come.
      await model.readWhatIsStale();
      return differ().length === 0;
    };
    await waitUntil(isAlike, { timeoutMs }).catch(() => undefined);
    if (differ().length > 0)
      failures.push(`${user.name}:`, ...differ().slice(0, 20), "What came last:", ...model.recent.slice(-10));
    model.recent.splice(0);
  }
  if (failures.length > 0) throw new Error(failures.join("\n"));
}

async function readFresh(user: ModelUser, url: string): Promise<Lists> {
  const query = `token=${encodeURIComponent(user.accessToken)}&v=2&events=USER_UPDATE&presence=none`;
  const socket = connectGateway(url, "", { query });
  const ready = Ready.parse(await socket.ready);
  const fresh = await readLists(user.client, ready, user.hearsOfMembers);
  await socket.close();
  return fresh;
}

/**
 * Both without the parts that the other is not promised: lists that may not be read, and unread messages left to
 * counting.
 */
function alike({ lists }: ModelClient, fresh: Lists): [Lists | null, Lists] {
  if (lists === null) return [null, fresh];
  const told = filter(fresh.dmMessages, (_, id) => id in lists.dmMessages || fresh.dms[id]?.type !== "group");
  const counted = filter(lists.unread, (count) => count !== null);
  const servers = Object.fromEntries(
    Object.entries(lists.servers).map(([id, of]) => {
      const { invites = null, bans = null } = fresh.servers[id] ?? {};
      return [id, { ...of, invites: invites === null ? null : of.invites, bans: bans === null ? null : of.bans }];
    }),
  );
  return [
    { ...lists, servers, unread: counted },
    { ...fresh, dmMessages: told, unread: map(counted, (_, id) => fresh.unread[id] ?? 0) },
  ];
}
