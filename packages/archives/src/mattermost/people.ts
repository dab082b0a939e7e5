import { ArchiveError } from "../archive.js";
import { cleanName } from "../clean-text.js";
import type { PersonRecord } from "../form.js";
import { maxPeople } from "../open/limits.js";

type Known = Partial<Pick<PersonRecord, "email" | "isBot" | "deleted" | "avatar">>;

/** The people of an archive that have been read, by their usernames. */
export class People {
  readonly #ids = new Set<string>();

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /**
   * @param names those that may be shown, the best one first; the username where all are empty
   * @throws ArchiveError for too many
   */
  add(
    username: string,
    names: (string | null | undefined)[],
    { email = null, isBot = false, deleted = false, avatar = null }: Known = {},
  ): PersonRecord {
    this.#ids.add(username);
    if (this.#ids.size > maxPeople) throw new ArchiveError(`The archive has more than ${maxPeople} people.`);
    return {
      kind: "person",
      id: username,
      name: names.map((name) => cleanName(name ?? "")).find((name) => name !== "") ?? username,
      username,
      email,
      emailVerified: false,
      isBot,
      deleted,
      avatar,
      roles: [],
      createdAt: null,
    };
  }

  /** Somebody whom only posts name. */
  *addUnknown(username: string): Generator<PersonRecord> {
    if (!this.has(username)) yield this.add(username, []);
  }
}
