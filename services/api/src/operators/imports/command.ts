import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ServiceError } from "@parley/contracts";
import type { Database } from "@parley/database/prisma";
import { findAdministrators } from "../../access/repository.js";
import { findAccount } from "../../people/users/repository.js";
import type { Import } from "./core/schema.js";
import type { ImportService } from "./service.js";

const usage =
  'usage: <name of the archive> [--server <id> | --new "<name>"] [--owner <username>] [--visible all|<names>] [--dry-run] ' +
  "| --undo <id>";
const lookMs = 1_000;

/**
 * Lets an operator import an archive, with a line for each step, or take an import back. It does what the endpoints do, as one of
 * the administrators.
 *
 * @param options.content the bytes of the archive
 * @returns the exit code: 2 for unknown arguments, 1 when nothing or not everything was imported
 */
export async function importCommand(
  database: Database,
  imports: ImportService,
  { args, content, write }: { args: string[]; content: AsyncIterable<Uint8Array>; write: (line: string) => void },
): Promise<0 | 1 | 2> {
  const parsed = parse(args);
  if (parsed === null) {
    write(usage);
    return 2;
  }
  const { values, filename } = parsed;
  const [adminId] = await database.transaction(findAdministrators);
  if (adminId === undefined) {
    write("There is no administrator: add one first.");
    return 1;
  }
  try {
    if (values.undo !== undefined) {
      const undone = await untilSettled(imports, await imports.undo(adminId, values.undo), write);
      return undone.state === "undone" ? 0 : 1;
    }
    const owner = values.owner === undefined ? null : await findAccount(database, { username: values.owner });
    if (owner === null && values.owner !== undefined) {
      write(`There is no account ${values.owner}.`);
      return 1;
    }
    write("Taking the archive …");
    const form = { read: ({ onFile }: Handlers) => onFile({ name: "archive", filename, content }) };
    const read = await untilSettled(imports, await imports.upload(adminId, form), write);
    for (const line of reportOf(read)) write(line);
    if (read.state !== "ready") return 1;
    if (values["dry-run"] === true) {
      await imports.undo(adminId, read.id);
      return 0;
    }
    const started = await imports.start(adminId, read.id, {
      into: values.server,
      name: values.new,
      owner_id: owner?.id,
      visible: values.visible === "all" ? "all" : values.visible?.split(",").map((name) => name.trim()),
    });
    const done = await untilSettled(imports, started, write);
    write(done.state === "done" ? `Done: import ${done.id}.` : `Not done: import ${done.id} is ${done.state}.`);
    return done.state === "done" ? 0 : 1;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    write(`${error.message}.`);
    return 1;
  }
}

type Handlers = Parameters<Parameters<ImportService["upload"]>[1]["read"]>[0];

function parse(args: string[]) {
  const text = { type: "string" } as const;
  const options = {
    ...{ server: text, new: text, owner: text, visible: text, undo: text },
    "dry-run": { type: "boolean" },
  } as const;
  try {
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
    const [filename = "archive", ...more] = positionals;
    const isUndo = values.undo !== undefined;
    if (
      more.length > 0 ||
      isUndo === positionals.length > 0 ||
      (values.server !== undefined && values.new !== undefined)
    )
      return null;
    return { values, filename };
  } catch {
    return null;
  }
}

/** Waits until no process is at an import, with a line whenever it has come further. */
async function untilSettled(imports: ImportService, begun: Import, write: (line: string) => void): Promise<Import> {
  let before = "";
  for (let now = begun; ; now = await imports.get(begun.id)) {
    const { messages, of, files, of_files } = now.progress;
    const line = `${now.state}: ${messages} of ${of} messages, ${files} of ${of_files} files`;
    if (line !== before) write(line);
    before = line;
    if (now.state !== "reading" && now.state !== "running") {
      if (now.error !== null) write(now.error);
      return now;
    }
    await pause(lookMs);
  }
}

function* reportOf({ report }: Import): Generator<string> {
  for (const { name, channels, counts } of report?.servers ?? []) {
    yield `${name}: ${counts.people} people, ${counts.messages} messages, ${counts.files} files, ${counts.emoji} emoji, ${counts.roles} roles`;
    for (const channel of channels) {
      const marks = [
        channel.private === false ? [] : [channel.private === null ? "perhaps private" : "private"],
      ].flat();
      yield `  ${channel.name}: ${[`${channel.messages} messages`, ...marks, ...(channel.archived ? ["archived"] : [])].join(", ")}`;
    }
  }
  for (const { kind, reason, count } of report?.skipped ?? []) yield `left out: ${count} ${kind} (${reason})`;
}
