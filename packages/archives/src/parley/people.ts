import { type Archive, ArchiveError } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { ArchiveRecord, PersonRecord } from "../form.js";
import { parsedRecords } from "./entries.js";
import { memberSchema, personSchema } from "./schema.js";

/** People whose names are in memory. */
const maxPeople = 1_000_000;

/** Names of accounts, bots among them. */
const usernamePattern = /^[A-Za-z0-9_-]{2,32}$/;

/** The people of an export, as far as it has been read. */
export class People {
  /** Account names by the ids of people; empty for somebody whom nothing but a record of something else names. */
  readonly #names = new Map<string, string>();

  async *read(archive: Archive): AsyncGenerator<ArchiveRecord> {
    const roles = new Map<string, string[]>();
    for await (const found of parsedRecords(archive, "members.json", memberSchema)) {
      if (found.kind === "skipped") {
        yield found;
        continue;
      }
      const { user_id: id, username, nickname, display_name, is_bot, joined_at } = found.value;
      const held = (found.value.roles ?? []).map((role) => role.id);
      if (held.length > 0) roles.set(id, held);
      const name = nickname ?? display_name ?? username;
      yield this.#person(id, username, { name, isBot: is_bot === true, roles: held, createdAt: joined_at });
    }
    for await (const found of parsedRecords(archive, "people.jsonl", personSchema)) {
      if (found.kind === "skipped") yield found;
      else {
        const { id, username, name, is_bot: isBot, created_at: createdAt } = found.value;
        const held = found.value.roles ?? roles.get(id) ?? [];
        const person = this.#person(id, username, { name, isBot, roles: held, createdAt });
        yield usernamePattern.test(username) ? { ...person, isOwnName: true } : person;
      }
    }
  }

  /** The account name of a person; undefined for somebody without one. */
  nameOf(id: string): string | undefined {
    return this.#names.get(id) || undefined;
  }

  /** Those of the people whom nothing before has named: their accounts are gone from the server. */
  *strangers(...ids: readonly (string | null | undefined)[]): Generator<PersonRecord> {
    for (const id of ids) {
      if (id == null || this.#names.has(id)) continue;
      const person = this.#person(id, "user", { name: "user", isBot: false, roles: [], createdAt: null });
      this.#names.set(id, "");
      yield { ...person, deleted: true };
    }
  }

  #person(
    id: string,
    username: string,
    { name, isBot, roles, createdAt }: Pick<PersonRecord, "name" | "isBot" | "roles" | "createdAt">,
  ): PersonRecord {
    this.#names.set(id, username);
    if (this.#names.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    return {
      kind: "person",
      id,
      name: cleanName(name) || username,
      username,
      email: null,
      emailVerified: false,
      isBot,
      deleted: false,
      avatar: null,
      roles,
      createdAt,
    };
  }
}
