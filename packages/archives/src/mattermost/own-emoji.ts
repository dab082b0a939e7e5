import type { Entry } from "../archive.js";
import { mattermostEmoji } from "../emoji-names.js";
import type { EmojiRecord } from "../form.js";
import { type MattermostReply, postSchema, repliesOf } from "./schema.js";

/** Emoji of one archive that are in use: their names are in memory. */
const maxUses = 100_000;
const emojiName = /:([a-z0-9_+-]{1,64}):/gi;

/** Emoji of the installation, which come to each team that uses them. */
export class OwnEmoji {
  /** The entry of the picture, or null where it is not in the archive. */
  readonly #pictures = new Map<string, Entry | null>();
  readonly #uses = new Set<string>();

  add(name: string, picture: Entry | undefined): void {
    this.#pictures.set(name, picture ?? null);
  }

  has(name: string): boolean {
    return this.#pictures.has(name);
  }

  /** The external id of one that has a picture. */
  idOf(team: string, name: string): string | undefined {
    return this.#pictures.get(name) ? `${team}/${name}` : undefined;
  }

  /** Notices which emoji a post uses. */
  notice(value: unknown): void {
    const { data: post } = postSchema.safeParse(value);
    if (post === undefined) return;
    for (const written of [post, ...repliesOf(post)]) {
      for (const name of namesIn(written)) {
        if (this.#uses.size < maxUses && mattermostEmoji(name) === null) this.#uses.add(`${post.team}/${name}`);
      }
    }
  }

  /** One that nobody uses comes to the first team. */
  *records(teams: readonly string[]): Generator<EmojiRecord> {
    for (const [name, picture] of this.#pictures) {
      if (picture === null) continue;
      const inUse = teams.filter((team) => this.#uses.has(`${team}/${name}`));
      for (const server of inUse.length > 0 ? inUse : teams.slice(0, 1)) {
        const file = { entry: picture.name, name, size: picture.size };
        yield { kind: "emoji", id: `${server}/${name}`, server, name, file };
      }
    }
  }
}

const namesIn = ({ message, reactions }: MattermostReply): string[] => [
  ...[...(message ?? "").matchAll(emojiName)].map(([, name = ""]) => name),
  ...(reactions ?? []).map(({ emoji_name }) => emoji_name),
];
