import { ChannelOverride, permissionBits } from "@parley/contracts";
import { Clients } from "../clients/clients.js";
import { gatewayDialect } from "../gateway/contestants.js";
import { clockMs, report, sum } from "../measure.js";
import type { LargeServerSizes } from "./sizes.js";
import type { LargeServer, LargeServerWorld } from "./world.js";

/** From the request to the last viewer. */
const goalMs = 1_000;
const timeoutMs = 20_000;

/**
 * Makes a channel private to a role, again and again, while members are connected who may view it. Prints how long it
 * took until the last of those without the role was told of the override that hides it, and how many messages, sent as
 * soon as the request was answered, reached any of them.
 */
export async function reportPrivateChannel(world: LargeServerWorld, server: LargeServer, sizes: LargeServerSizes) {
  const { channelId, serverId, roleId, userIds } = server;
  const [owner = "", ...others] = userIds;
  const viewers = others.slice(0, sizes.connected);
  // Other measurements may have given it to more members than `createLargeServer` has.
  const { rows } = await world.pool.query<{ user_id: string }>("SELECT user_id FROM member_roles WHERE role_id = $1", [
    roleId,
  ]);
  const holding = new Set(rows.map(({ user_id }) => user_id));
  const [holders = [], losers = []] = [true, false].map((wanted) =>
    viewers.filter((userId) => holding.has(userId) === wanted),
  );
  const groups = [losers, holders].flatMap((members) =>
    world.gateways.map(({ port }, gateway) => ({
      members: members.filter((_, n) => n % 2 === gateway),
      target: { port, dialect: gatewayDialect },
      clients: new Clients(1),
    })),
  );
  const [ofLosers, ofHolders] = [groups.slice(0, 2), groups.slice(2)];
  const paths = `/channels/${channelId}`;
  const override = async (role_id: string, bits: { allow: number; deny: number }) =>
    ChannelOverride.parse(await world.call(owner, "PUT", `${paths}/overrides`, { role_id, ...bits }));
  const hide = () => override(serverId, { allow: 0, deny: permissionBits.VIEW_CHANNEL });
  const witnesses = [0, 1].map((gateway) => world.connect(owner, gateway));
  try {
    await Promise.all(witnesses.map(({ ready }) => ready));
    await Promise.all(
      groups.map(({ clients, target, members }) =>
        clients.connect(
          target,
          members.map((userId) => world.socketPath(userId, "&presence=none")),
        ),
      ),
    );
    /** Each gateway's frame of an event, which has passed to everybody then. */
    const passed = async (
      name: "CHANNEL_OVERRIDE_UPDATE" | "CHANNEL_OVERRIDE_DELETE" | "MESSAGE_CREATE",
      id: string,
    ) => {
      const isIt = (payload: unknown) => [Object(payload).id, Object(payload).override_id].includes(id);
      await Promise.all(witnesses.map((witness) => witness.waitFor(name, isIt, { timeoutMs })));
      return Buffer.byteLength(witnesses[0]?.frames.findLast((frame) => frame.includes(`"${id}"`)) ?? "");
    };
    const show = async ({ id }: ChannelOverride) => {
      await world.call(owner, "DELETE", `${paths}/overrides/${id}`);
      await passed("CHANNEL_OVERRIDE_DELETE", id);
    };
    await override(roleId, { allow: permissionBits.VIEW_CHANNEL, deny: 0 });
    const first = await hide();
    const overrideBytes = await passed("CHANNEL_OVERRIDE_UPDATE", first.id);
    await show(first);

    const lostMs: number[] = [];
    let told = 0;
    let late = 0;
    let kept = 0;
    for (let n = 0; n < sizes.privateChanges; n += 1) {
      await Promise.all(ofLosers.map(({ clients }) => clients.begin({ payloadBytes: overrideBytes })));
      const sentAt = clockMs();
      const hidden = await hide();
      const deliveries = await Promise.all(ofLosers.map(({ clients }) => clients.finish([sentAt])));
      lostMs.push(Math.max(...deliveries.map(({ lastAt }) => lastAt)) - sentAt);
      told += sum(deliveries.map(({ complete }) => complete));
      await show(hidden);
    }
    const sample = await world.send(owner, channelId, "message 0");
    const messageBytes = await passed("MESSAGE_CREATE", sample.id);
    for (let n = 0; n < sizes.privateChanges; n += 1) {
      await Promise.all(groups.map(({ clients }) => clients.begin({ payloadBytes: messageBytes, timed: false })));
      const hidden = await hide();
      const ids: string[] = [];
      for (let m = 0; m < sizes.privateMessages; m += 1) ids.push((await world.send(owner, channelId, "message 0")).id);
      for (const { clients } of ofHolders) {
        kept += sum((await clients.collect(() => sizes.privateMessages)).map(({ complete }) => complete));
      }
      for (const id of ids) await passed("MESSAGE_CREATE", id);
      // What was written to them before is counted when their pings are answered.
      for (const { clients } of ofLosers) {
        late += sum((await clients.collect(() => 0)).map(({ counted }) => counted));
        await clients.begin({ payloadBytes: messageBytes, timed: false });
        late += sum((await clients.collect(() => 0)).map(({ counted }) => counted));
      }
      await show(hidden);
    }
    const slowestMs = Math.max(...lostMs);
    report(
      `channel made private, ${viewers.length} connected viewers, ${losers.length} of them without the role: the last one lost it after ${lostMs.map((ms) => ms.toFixed(0)).join(", ")} ms  (goal: ${goalMs})`,
    );
    report(
      `  ${told} of ${losers.length * sizes.privateChanges} were told; ${late} later events reached them  (goal: 0); ${kept} of ${holders.length * sizes.privateChanges} with the role got all`,
    );
    return { losers: losers.length, holders: holders.length, slowestMs, told, late, kept };
  } finally {
    for (const witness of witnesses) witness.terminate();
    await Promise.all(groups.map(({ clients }) => clients.stop()));
  }
}
