import { ArchiveError } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { PersonRecord } from "../form.js";
import { maxPeople } from "../open/limits.js";
import type { NamedPerson } from "./schema.js";

type Kind = Pick<PersonRecord, "isBot" | "deleted">;

/** The people of a dump that have been read. */
export class People {
  /** Whether they are bots, and their usernames, by their ids. */
  readonly #known = new Map<string, { isBot: boolean; username: string }>();
  readonly #byUsername = new Map<string, string>();

  has(id: string): boolean {
    return this.#known.has(id);
  }

  isBot(id: string): boolean {
    return this.#known.get(id)?.isBot === true;
  }

  usernameOf(id: string): string | undefined {
    return this.#known.get(id)?.username;
  }

  /** The id of the first person of this name. */
  idOf(username: string): string | undefined {
    return this.#byUsername.get(username);
  }

  /** @throws ArchiveError for too many */
  add({ _id: id, username, name }: NamedPerson, { isBot, deleted }: Kind): PersonRecord {
    this.#known.set(id, { isBot, username: username ?? "" });
    if (username && !this.#byUsername.has(username)) this.#byUsername.set(username, id);
    if (this.#known.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    return {
      kind: "person",
      id,
      name: cleanName(name || username || "") || "user",
      username: username ?? "",
      email: null,
      emailVerified: false,
      isBot,
      deleted,
      avatar: null,
      roles: [],
      createdAt: null,
    };
  }

  /** Somebody whom only messages name. */
  *addUnknown(person: NamedPerson, kind: Kind = { isBot: false, deleted: true }): Generator<PersonRecord> {
    if (!this.has(person._id)) yield this.add(person, kind);
  }
}
