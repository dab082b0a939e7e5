import type { CategoryRecord, ChannelRecord, OverrideRecord } from "@parley/archives";
import { allPermissionBits, caps, permissionBits } from "@parley/contracts";
import { lockServer } from "@parley/moderation";
import { countBesides, putOverride } from "../../../community/overrides/repository.js";
import { idOf } from "../core/texts.js";
import { recordsOf } from "../reading/repository.js";
import { takeCopiedChannels } from "./copies-repository.js";
import { channelTimes, findChannel, findChannels, findItems, insertChannel, putItems } from "./repository.js";
import {
  type MadeChannel,
  nameMax,
  nameOr,
  pastTime,
  type Servers,
  type Structure,
  step,
  type Writing,
} from "./writing.js";

const topicMax = 1_024;
const positionMax = 2_147_483_646;

/** Makes channels with their overrides: a private one is seen by nobody but owner and administrators. */
export async function makeChannels(
  writing: Writing,
  {
    servers,
    roles,
    people,
  }: {
    servers: Servers;
    roles: Structure["roles"];
    people: Structure["people"];
  },
): Promise<MadeChannel[]> {
  const { importer, importId, workspace, options, row, skipped } = writing;
  const { database } = importer;
  await step(writing, (transaction) => takeCopiedChannels(transaction, writing));
  const known = await findItems(database, workspace, "channel");
  const categories = new Map<string, CategoryRecord>();
  for await (const record of recordsOf<CategoryRecord>(database, importId, "category"))
    categories.set(record.id, record);
  const records: ChannelRecord[] = [];
  /** Places in the archive, in which ids of one millisecond rise. */
  const places = new Map<string, number>();
  for await (const record of recordsOf<ChannelRecord>(database, importId, "channel"))
    if (servers.has(record.server)) places.set(record.id, records.push(record));
  records.sort((one, other) => one.position - other.position);
  const overrides = new Map<string, OverrideRecord[]>();
  for await (const record of recordsOf<OverrideRecord>(database, importId, "override"))
    overrides.set(record.channel, [...(overrides.get(record.channel) ?? []), record]);

  const holderOf = (target: OverrideRecord["target"], server: string) => {
    if ("role" in target && target.role === server) return { roleId: null, userId: null };
    const role = "role" in target ? roles.get(target.role) : undefined;
    const user = "person" in target ? people.get(target.person) : undefined;
    if (role === undefined && user === undefined) return null;
    return { roleId: role?.id ?? null, userId: user?.id ?? null };
  };

  const channels: MadeChannel[] = [];
  for (const record of records) {
    const { id: serverId = "", isNew = false } = servers.get(record.server) ?? {};
    const before = known.get(record.id);
    if (before !== undefined) {
      const there = await findChannel(database, before.target_id);
      const made = { external: record.id, id: before.target_id, name: there?.name ?? record.name, serverId };
      if (there !== null) channels.push({ ...made, isComplete: before.digest === 1 });
      else
        skipped.add(
          "channel",
          "was deleted here",
          record.name,
          (await channelTimes(database, importId, record.id)).messages,
        );
      continue;
    }
    const { first, messages } = await channelTimes(database, importId, record.id);
    const createdAt = pastTime(record.createdAt ?? first ?? Date.now());
    const id = idOf(createdAt.getTime(), places.get(record.id));
    let leftOut = 0;
    const name = await step(writing, async (transaction) => {
      await lockServer(transaction, serverId);
      const there = await findChannels(transaction, serverId);
      if (there.length >= caps.channels.max) return null;
      const own = new Set([...known.values()].map(({ target_id }) => target_id));
      for (const channel of channels) own.add(channel.id);
      const name = livingName(
        nameOr(record.name, "channel"),
        there.filter((channel) => !own.has(channel.id)),
      );
      const category = record.category === null ? null : (categories.get(record.category)?.name ?? null);
      await insertChannel(transaction, {
        id,
        serverId,
        name,
        type: record.type === "voice" ? "voice" : "text",
        topic: record.topic === null ? null : [...record.topic].slice(0, topicMax).join("") || null,
        category: category === null ? null : nameOr(category, "") || null,
        slowMode: record.slowMode ?? 0,
        userLimit: record.userLimit ?? 0,
        createdAt,
        position: isNew && row.source === "parley" ? Math.min(record.position, positionMax) : null,
      });
      const isPrivate = record.private ?? !(options.visible === "all" || options.visible.includes(record.name));
      const deny = (isPrivate ? permissionBits.VIEW_CHANNEL : 0) | (record.archived ? permissionBits.SEND_MESSAGES : 0);
      const everyone = { roleId: null, userId: null };
      if (deny > 0) await putOverride(transaction, id, everyone, { allow: 0, deny });
      for (const { target, allow, deny } of overrides.get(record.id) ?? []) {
        const holder = holderOf(target, record.server);
        if (holder === null || (await countBesides(transaction, id, holder)) >= caps.overrides.max) {
          leftOut += 1;
          continue;
        }
        const allowed = Number(allow) & allPermissionBits;
        const bits = { allow: allowed, deny: Number(deny) & allPermissionBits & ~allowed };
        await putOverride(transaction, id, holder, bits);
      }
      await putItems(transaction, writing, "channel", [{ external_id: record.id, target_id: id }]);
      return name;
    });
    if (leftOut > 0) skipped.add("unknown_record", "override of too many, or of nobody", record.name, leftOut);
    if (name === null) skipped.add("channel", "the server has as many as it may", record.name, Math.max(messages, 1));
    else channels.push({ external: record.id, id, name, serverId, isComplete: false });
  }
  return channels;
}

/** A name that no channel of a living server has (docs/protocol/moving.md#32). */
function livingName(name: string, there: readonly { name: string }[]): string {
  const taken = new Set(there.map((channel) => channel.name));
  const suffix = "-imported";
  let free = name;
  for (let number = 1; taken.has(free); number += 1) {
    const end = number === 1 ? suffix : `${suffix}-${number}`;
    free = [...name].slice(0, nameMax - end.length).join("") + end;
  }
  return free;
}
