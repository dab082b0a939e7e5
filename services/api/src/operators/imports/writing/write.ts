import type { Archive, PersonRecord, ServerRecord } from "@parley/archives";
import { createEvent, ServiceError } from "@parley/contracts";
import { toChannel } from "../../../community/channels/resource.js";
import { findServer } from "../../../community/servers/repository.js";
import { toRawServer } from "../../../community/servers/resource.js";
import type { Importer } from "../core/importer.js";
import { endImport } from "../core/open.js";
import { type Held, renewLease } from "../core/repository.js";
import { recordsOf } from "../reading/repository.js";
import { SkippedThings } from "../reading/skipped.js";
import { takeCopiedMessages } from "./copies-repository.js";
import { writeMessages } from "./messages.js";
import { moveAgain } from "./people-repository.js";
import {
  channelTimes,
  findChannel,
  findItems,
  linkForwards,
  linkLateAnswers,
  markRead,
  needsPicture,
  putItems,
  saveReport,
  setPicture,
  setWorkspace,
} from "./repository.js";
import { makeStructure } from "./structure.js";
import { type MadeChannel, type Structure, step, type Writing } from "./writing.js";

/** Makes what an archive has, or what of it is missing after an earlier one. */
export async function writeImport(
  importer: Importer,
  { archive, held, signal }: { archive: Archive; held: Held; signal: AbortSignal },
): Promise<void> {
  const { database } = importer;
  const row = await renewLease(database, held);
  const { options, workspace: own, report } = row;
  if (options === null || own === null || report === null) throw new Error("an import runs that was never started");
  const workspace = await workspaceOf(importer, own, options.into);
  await setWorkspace(database, row.id, workspace);
  const skipped = new SkippedThings(report.skipped);
  const left = new SkippedThings(row.position?.skipped);
  const writing: Writing = {
    importer,
    archive,
    row,
    options,
    held,
    signal,
    skipped,
    left,
    workspace,
    importId: row.id,
  };
  const structure = await makeStructure(writing);
  await step(writing, (transaction) => takeCopiedMessages(transaction, writing));
  const at = structure.channels.findIndex(({ external }) => external === row.position?.channel);
  for (const [index, channel] of structure.channels.entries()) {
    if (index < at) continue;
    const anyNew = await writeMessages(writing, structure, { channel, from: index === at ? row.position : null });
    await finishChannel(writing, channel, anyNew);
  }
  if (row.source === "parley") await linkForwards(database, row.id, workspace);
  await moveAgain(database, workspace);
  await addPictures(writing, structure);
  await endImport(importer, held, "done", (transaction) =>
    saveReport(transaction, row.id, {
      ...report,
      skipped: new SkippedThings([...skipped.list(), ...left.list()]).list(),
    }),
  );
}

/** Ids are unique in a workspace; an archive that goes into another server than before is another one. */
async function workspaceOf({ database }: Importer, own: string, into: string | null): Promise<string> {
  if (into === null) return own;
  const servers = [...(await findItems(database, own, "server")).values()];
  return servers.every(({ target_id }) => target_id === into) ? own : `${own} ${into}`;
}

/** From then on members know the channel; nothing in it is unread. */
async function finishChannel(writing: Writing, channel: MadeChannel, anyNew: boolean): Promise<void> {
  const { importer, importId, workspace, held } = writing;
  const { database, outbox } = importer;
  const { id, serverId } = channel;
  if (anyNew) await linkLateAnswers(database, importId, workspace, channel.external);
  const { last } = await channelTimes(database, importId, channel.external);
  if (anyNew && last !== null) await markRead(database, { serverId, channelId: id, until: new Date(last) });
  if (channel.isComplete && !anyNew) return;
  await outbox.transaction([{ server_id: serverId }], async (transaction, emit) => {
    await renewLease(transaction, held);
    const row = await findChannel(transaction, id);
    const server = await findServer(transaction, serverId);
    if (row === null || server === null) return;
    if (!channel.isComplete) {
      await putItems(transaction, writing, "channel", [{ external_id: channel.external, target_id: id }], 1);
      const routing = { order_key: serverId };
      emit(createEvent("CHANNEL_CREATE", { server_id: serverId, channel_id: id }, toChannel(row), routing));
    }
    emit(createEvent("SERVER_UPDATE", { server_id: serverId }, toRawServer(server)));
  });
}

/** Pictures of people and servers, which nobody waits for. */
async function addPictures(writing: Writing, { people }: Structure): Promise<void> {
  const { importer, importId, archive, workspace, skipped, signal } = writing;
  const { database, pictures } = importer;
  const add = async (kind: "user" | "server", id: string, entry: string, name: string) => {
    signal.throwIfAborted();
    if (!(await needsPicture(database, kind, id))) return;
    try {
      await pictures.store(importId, { content: await archive.open(entry), signal }, ({ url, keep }) =>
        database.transaction(async (transaction) => {
          await keep(transaction);
          await setPicture(transaction, { kind, id, url });
        }),
      );
    } catch (error) {
      if (!(error instanceof ServiceError) || error.kind !== "invalid_input") throw error;
      skipped.add("file", "picture cannot be read", name);
    }
  };
  for await (const { id, avatar, name } of recordsOf<PersonRecord>(database, importId, "person")) {
    const person = people.get(id);
    if (avatar?.entry != null && person !== undefined) await add("user", person.person_id, avatar.entry, name);
  }
  const servers = await findItems(database, workspace, "server");
  for await (const { id, icon } of recordsOf<ServerRecord>(database, importId, "server")) {
    const server = servers.get(id);
    if (icon?.entry != null && server?.digest === 0) await add("server", server.target_id, icon.entry, icon.name);
  }
}
