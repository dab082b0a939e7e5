import type { ServerRecord, ServerSettings } from "@parley/archives";
import { caps } from "@parley/contracts";
import { appendAudit } from "../../../access/audit-log/repository.js";
import { lockAccount, requireBelowCap } from "../../../access/caps.js";
import { lacksFactor } from "../../../access/factor-repository.js";
import { addMember } from "../../../community/members/membership.js";
import { countOwnedServers, findServer, insertServer } from "../../../community/servers/repository.js";
import { updateServerBody } from "../../../community/servers/schema.js";
import { renewLease } from "../core/repository.js";
import { findServersOf } from "../reading/repository.js";
import { makeChannels } from "./make-channels.js";
import { makeEmoji } from "./make-emoji.js";
import { makeModeration } from "./make-moderation.js";
import { makeOnboarding } from "./make-onboarding.js";
import { makePeople } from "./make-people.js";
import { makeRoles } from "./make-roles.js";
import { findItems, forgetGone, noteServer, putItems } from "./repository.js";
import { nameOr, pastTime, type Structure, step, type Writing } from "./writing.js";

/** Makes, or finds from before, all that messages are written with. Every thing is stored together with what it has become. */
export async function makeStructure(writing: Writing): Promise<Structure> {
  const { importer, importId, row, options } = writing;
  await forgetGoneServers(writing);
  const all = await findServersOf(importer.database, importId, row.filename);
  const chosen = all.filter(({ id }) => options.servers === null || options.servers.includes(id));
  const servers = new Map<string, { id: string; isNew: boolean }>();
  for (const server of chosen) servers.set(server.id, await makeServer(writing, server));
  const roles = await makeRoles(writing, servers);
  const people = await makePeople(writing, roles);
  const emoji = await makeEmoji(writing, { servers, people });
  const channels = await makeChannels(writing, { servers, roles, people });
  await makeModeration(writing, { servers, roles, people, channels });
  for (const { id, record } of chosen)
    await makeOnboarding(writing, { server: servers.get(id), record, roles, channels });
  const channelNames = new Map(channels.map(({ external, name }) => [external, name]));
  const accounts = new Map([...people.values()].map((person) => [person.id, person]));
  return { channels, channelNames, people, accounts, emoji, roles };
}

async function forgetGoneServers({ importer: { database }, workspace }: Writing): Promise<void> {
  for (const { target_id } of (await findItems(database, workspace, "server")).values()) {
    if ((await findServer(database, target_id)) === null) return forgetGone(database, workspace);
  }
}

async function makeServer(
  writing: Writing,
  server: { id: string; name: string; record: ServerRecord },
): Promise<{ id: string; isNew: boolean }> {
  const { importer, workspace, importId, options, held, row } = writing;
  const known = (await findItems(importer.database, workspace, "server")).get(server.id);
  const items = (id: string) => [{ external_id: server.id, target_id: id }];
  if (known !== undefined || options.into !== null) {
    const id = options.into ?? known?.target_id ?? "";
    await step(writing, async (transaction) => {
      if (known === undefined) await putItems(transaction, writing, "server", items(id), 1);
      await noteServer(transaction, importId, id);
    });
    return { id, isNew: known?.import_id === importId && known.digest === 0 };
  }
  writing.signal.throwIfAborted();
  const id = await importer.outbox.transaction([], async (transaction, emit) => {
    await renewLease(transaction, held);
    const { owner_id } = options;
    await lockAccount(transaction, owner_id);
    requireBelowCap(caps.ownedServers, await countOwnedServers(transaction, owner_id));
    const name = (options.servers ?? [server.id]).length === 1 && options.name !== null ? options.name : server.name;
    const settings = settingsOf(server.record, row.source);
    // As for a change of the setting, the owner must have a second factor.
    const require_second_factor = settings.require_second_factor && !(await lacksFactor(transaction, owner_id));
    const columns = { ...settings, require_second_factor, icon_url: null, owner_id };
    const { id } = await insertServer(transaction, { ...columns, name: nameOr(name, "server") }, []);
    await addMember(transaction, emit, { serverId: id, userId: owner_id });
    const entry = { serverId: id, actorId: row.created_by, action: "server_create", targetId: id } as const;
    await appendAudit(transaction, { ...entry, details: { name } });
    await putItems(transaction, writing, "server", items(id));
    await noteServer(transaction, importId, id);
    return id;
  });
  return { id, isNew: true };
}

/** Settings come from exports of Parley only. */
function settingsOf({ settings }: ServerRecord, source: string | null) {
  if (settings === undefined || source !== "parley")
    return { is_public: false, require_invite: false, hierarchy: false, require_second_factor: false };
  const { isPublic, requireInvite, requireSecondFactor, hierarchy, createdAt } = settings;
  const times = createdAt === null ? {} : { created_at: pastTime(createdAt) };
  const rules = { require_invite: requireInvite, hierarchy, require_second_factor: requireSecondFactor };
  return { is_public: isPublic, ...rules, ...times, ...faceOf(settings) };
}

/** The keys of the face that a server may have here. */
function faceOf({ face }: ServerSettings) {
  const { description, tags, language, timezone } = updateServerBody.shape;
  const [text, list, tongue, zone] = [
    description.safeParse(face.description),
    tags.safeParse(face.tags),
    language.safeParse(face.language),
    timezone.safeParse(face.timezone),
  ];
  return {
    ...(text.data == null ? {} : { description: text.data }),
    ...(list.data === undefined ? {} : { tags: list.data }),
    ...(tongue.data == null ? {} : { language: tongue.data }),
    ...(zone.data == null ? {} : { timezone: zone.data }),
  };
}
