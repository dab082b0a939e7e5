import { permissionBits } from "@parley/contracts";
import type { z } from "zod";
import { type Archive, ArchiveError } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { ArchiveRecord, RoleRecord } from "../form.js";
import { jsonRecords } from "../json-records.js";
import { unknownRecord } from "../skipped.js";
import { all, parsedRecords } from "./entries.js";
import {
  categorySchema,
  channelSchema,
  overrideSchema,
  type ParleyOverride,
  roleSchema,
  serverSchema,
} from "./schema.js";

/** Ids of a server and of its channels. */
export interface Places {
  server: string;
  channels: string[];
}

/**
 * The server of an export with its categories, roles, channels and overrides.
 *
 * @throws ArchiveError where the archive has no server
 */
export async function* readPlaces(archive: Archive): AsyncGenerator<ArchiveRecord, Places> {
  const { server, wrong } = await readServer(archive);
  const { id, is_public = false, require_invite = false, hierarchy = false, created_at: createdAt } = server;
  const { require_second_factor: requireSecondFactor = false, description, tags, language, timezone } = server;
  const settings = {
    ...{ isPublic: is_public, requireInvite: require_invite, requireSecondFactor, hierarchy, createdAt },
    face: { description, tags, language, timezone },
    onboarding: await readObject(archive, "onboarding.json"),
  };
  yield { kind: "server", id, name: cleanName(server.name) || null, settings };
  yield* wrong.map((setting) => unknownRecord(`server.json, record 1: ${setting}`));
  const overrides = await all(parsedRecords(archive, "overrides.json", overrideSchema));
  const hidden = hiddenChannels(id, valuesOf(overrides));
  const channels = await all(parsedRecords(archive, "channels.json", channelSchema));

  const categories = new Set<string>();
  for (const { name } of valuesOf(await all(parsedRecords(archive, "categories.json", categorySchema))))
    categories.add(name);
  for (const { category } of valuesOf(channels)) if (category !== null) categories.add(category);
  for (const [position, name] of [...categories].entries()) {
    yield { kind: "category", id: name, server: id, name: cleanName(name) || "category", position };
  }

  const roles = await all(parsedRecords(archive, "roles.json", roleSchema));
  yield* roles.filter((found) => found.kind === "skipped");
  // Of roles in one place the older one is shown first.
  const order = (one: Role, other: Role) => one.position - other.position || (one.id < other.id ? -1 : 1);
  for (const role of valuesOf(roles).sort(order)) yield toRole(id, role);

  const ids: string[] = [];
  for (const [index, found] of channels.entries()) {
    if (found.kind === "skipped") {
      yield found;
      continue;
    }
    const { slow_mode_seconds: slowMode, user_limit: userLimit, ...channel } = found.value;
    ids.push(channel.id);
    yield {
      kind: "channel",
      id: channel.id,
      server: id,
      name: cleanName(channel.name) || "channel",
      type: channel.type === "voice" ? "voice" : "text",
      category: channel.category,
      topic: channel.topic,
      private: hidden.has(channel.id),
      archived: false,
      position: channel.position ?? index,
      createdAt: channel.created_at,
      ...(slowMode === undefined ? {} : { slowMode }),
      ...(userLimit === undefined ? {} : { userLimit }),
    };
  }
  for (const found of overrides) {
    if (found.kind === "skipped") yield found;
    else {
      const { channel_id: channel, role_id: role, user_id: person, allow, deny } = found.value;
      const target = person === null ? { role: role ?? id } : { person };
      yield { kind: "override", channel, target, allow: String(allow), deny: String(deny) };
    }
  }
  return { server: id, channels: ids };
}

/** The server, and the names of settings that are left out because their values are wrong. */
async function readServer(archive: Archive): Promise<{ server: z.output<typeof serverSchema>; wrong: string[] }> {
  const value = (await readObject(archive, "server.json")) ?? {};
  const issues = serverSchema.safeParse(value).error?.issues ?? [];
  const wrong = new Set(issues.map(({ path }) => String(path[0])));
  const right = Object.fromEntries(Object.entries(value).filter(([name]) => !wrong.has(name)));
  const server = serverSchema.safeParse(right).data;
  if (server === undefined) throw new ArchiveError("server.json, record 1: the server has no id or no name.");
  return { server, wrong: [...wrong] };
}

/** The object of an entry without its empty lists; undefined where the archive has none. */
async function readObject(archive: Archive, entry: string): Promise<Record<string, unknown> | undefined> {
  if (archive.find(entry) === undefined) return undefined;
  const members = new Map<string, unknown>();
  for await (const { key, place, value } of jsonRecords(archive, entry)) {
    const list = place === null ? undefined : members.get(key ?? "");
    if (Array.isArray(list)) list.push(value);
    else members.set(key ?? "", place === null ? value : [value]);
  }
  return Object.fromEntries(members);
}

const valuesOf = <Value>(found: readonly ({ kind: "value"; value: Value } | { kind: "skipped" })[]): Value[] =>
  found.flatMap((each) => (each.kind === "value" ? [each.value] : []));

/** Channels that the everyone role cannot view. */
const hiddenChannels = (server: string, overrides: readonly ParleyOverride[]): ReadonlySet<string> =>
  new Set(
    overrides
      .filter(({ role_id, deny }) => role_id === server && (deny & permissionBits.VIEW_CHANNEL) !== 0)
      .map(({ channel_id }) => channel_id),
  );

type Role = z.output<typeof roleSchema>;

function toRole(server: string, { id, name, permissions, color, created_at, ...role }: Role): RoleRecord {
  const { position, rights, mentionable } = role;
  return {
    kind: "role",
    id,
    server,
    name: cleanName(name) || "role",
    permissions: String(permissions),
    color: color !== null && /^#[0-9a-f]{6}$/i.test(color) ? color : null,
    position,
    ...(rights === undefined ? {} : { rights }),
    ...(mentionable === true ? { mentionable } : {}),
    ...(created_at === null ? {} : { createdAt: created_at }),
    ...(id === server ? { everyone: true } : {}),
  };
}
