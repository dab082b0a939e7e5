import {
  AuthResponse,
  type Channel,
  DmChannel,
  DmMessage,
  FoundPage,
  Message,
  permissionBits,
} from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import fc from "fast-check";
import { expect } from "vitest";
import { z } from "zod";

/**
 * Words of six languages, each in two forms that its dictionary takes for one, and the sentences that they stand in.
 */
const languages = {
  en: {
    sentence: ["where", "is", "the"],
    words: [{ forms: ["garden", "gardens"] }, { forms: ["letter", "letters"] }],
  },
  de: {
    sentence: ["wo", "ist", "nicht", "die"],
    words: [{ forms: ["haus", "Häuser"] }, { forms: ["Straße", "Straßen"] }],
  },
  fr: {
    sentence: ["où", "est", "dans", "les"],
    words: [{ forms: ["cheval", "chevaux"] }, { forms: ["fatigué", "fatigués"] }],
  },
  es: {
    sentence: ["dónde", "está", "el", "muy"],
    words: [{ forms: ["libro", "libros"] }, { forms: ["casa", "casas"] }],
  },
  ru: {
    sentence: ["где", "это", "и"],
    words: [{ forms: ["дом", "дома"] }, { forms: ["красный", "красные"] }],
  },
  tr: {
    sentence: ["bu", "ne", "için", "ve"],
    words: [{ forms: ["kitap", "kitaplar"] }, { forms: ["balık", "balıklar"] }],
  },
} as const;
type Language = keyof typeof languages;
const names = Object.keys(languages) as Language[];
const groups = names.flatMap((language) => languages[language].words.map((group) => ({ language, ...group })));
/** Without case and accents. */
const fold = (word: string) =>
  word.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ß", "ss").normalize("NFC");
const wordsOf = (text: string) =>
  text
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map(fold);
const isOf = (text: string, language: Language) => wordsOf(text)[0] === fold(languages[language].sentence[0]);

/** A message as the history shows it, and where it stands. */
interface Seen {
  id: string;
  author_id: string | null;
  content: string;
  place: string;
  isReply: boolean;
  isEdited: boolean;
  isPinned: boolean;
}

interface Query {
  language: Language;
  words: readonly { text: string; isExcluded: boolean }[];
  from: number | null;
  place: number | null;
  flags: readonly ("has:link" | "is:thread" | "is:edited" | "is:pinned")[];
}

const word = fc.constantFrom(...groups.flatMap(({ forms }) => forms));
export const query: fc.Arbitrary<Query> = fc.record({
  language: fc.constantFrom(...names),
  words: fc.array(fc.record({ text: word, isExcluded: fc.nat(3).map((number) => number === 0) }), { maxLength: 2 }),
  from: fc.option(fc.nat(2), { freq: 1 }),
  place: fc.option(fc.nat(6), { freq: 1 }),
  flags: fc.uniqueArray(fc.constantFrom("has:link", "is:thread", "is:edited", "is:pinned"), { maxLength: 1 }),
});
/** A sentence of a language with words of it. */
const content = fc
  .constantFrom(...names)
  .chain((language) => {
    const own = fc.constantFrom(...languages[language].words.flatMap(({ forms }) => [...forms]));
    return fc.tuple(fc.constant(language), fc.array(own, { minLength: 1, maxLength: 3 }), fc.nat(4));
  })
  .map(([language, own, number]) =>
    [...languages[language].sentence, ...own, ...(number === 0 ? ["https://example.org/x"] : [])].join(" "),
  );
export const change = fc.record({
  kind: fc.constantFrom("post", "post", "post", "reply", "edit", "delete", "view", "pin", "block"),
  by: fc.nat(2),
  place: fc.nat(6),
  message: fc.nat(1_000),
  content,
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

const tokenUsedMs = 300_000;

/** People, servers with hidden channels, and conversations, that change at random. */
export class SearchModel {
  #messages: { id: string; by: number; place: number; root: string | null }[] = [];
  readonly #hidden = new Set<string>();

  /** When everybody got the tokens of now. */
  #loggedInAt = performance.now();

  private constructor(
    readonly stack: SharedStack,
    private people: readonly UserClient[],
    /** Channels of servers first. */
    readonly places: readonly { id: string; name: string; isDirect: boolean }[],
  ) {}

  static async start(): Promise<SearchModel> {
    const stack = await sharedStack();
    const client = createClient(stack.edgeUrl, { prefix: "/api" });
    const { server, channel, owner, members } = await createServerWithMembers(client, 2);
    const second = await createServerWithMembers(client, 0);
    const people = [owner, ...members];
    const others = [
      await createChannel(owner, server.id, { name: "north" }),
      await createChannel(owner, server.id, { name: "south" }),
    ];
    // A server that nobody of them is in.
    await second.owner.post(`/channels/${second.channel.id}/messages`, {
      content: "garden haus cheval libro дом kitap",
    });
    const pair = DmChannel.parse((await owner.post("/dm-channels", { user_id: members[0]?.user.id })).body);
    const group = z
      .object({ id: z.string() })
      .parse((await owner.post("/dm-channels", { user_ids: members.map(({ user }) => user.id), name: "trio" })).body);
    const place = ({ id, name }: { id: string; name: string }, isDirect = false) => ({ id, name, isDirect });
    return new SearchModel(stack, people, [
      ...[channel, ...others].map((each: Channel) => place(each)),
      place({ id: pair.id, name: pair.id }, true),
      place({ id: group.id, name: "trio" }, true),
    ]);
  }

  /** Tokens live for 15 minutes, and 10,000 searches may take longer. */
  async stayLoggedIn(): Promise<void> {
    if (performance.now() - this.#loggedInAt < tokenUsedMs) return;
    const client = createClient(this.stack.edgeUrl, { prefix: "/api" });
    const renew = async (person: UserClient): Promise<UserClient> => {
      const answer = await client.post("/auth/refresh", { refresh_token: person.refreshToken });
      const { access_token, refresh_token } = answer.expect(200, AuthResponse);
      const own = client.withAuthorization(`Bearer ${access_token}`);
      return { ...person, ...own, accessToken: access_token, refreshToken: refresh_token };
    };
    this.people = await Promise.all(this.people.map(renew));
    this.#loggedInAt = performance.now();
  }

  async apply({ kind, by, place: placeNumber, message: number, content }: Change): Promise<void> {
    const author = this.#person(by);
    const index = placeNumber % this.places.length;
    const place = this.#place(index);
    const about = this.#messages[number % Math.max(this.#messages.length, 1)];
    const prefix = about !== undefined && this.#place(about.place).isDirect ? "dm-messages" : "messages";
    if (kind === "post") {
      const path = place.isDirect ? `/dm-channels/${place.id}/messages` : `/channels/${place.id}/messages`;
      const answer = await author.post(path, { content });
      if (answer.status === 201) this.#add(z.object({ id: z.string() }).parse(answer.body).id, by, index, null);
    } else if (kind === "view") {
      if (place.isDirect || by === 0) return;
      const key = `${by} ${place.id}`;
      const isHidden = !this.#hidden.delete(key);
      if (isHidden) this.#hidden.add(key);
      const deny = isHidden ? permissionBits.VIEW_CHANNEL : 0;
      await this.#person(0).put(`/channels/${place.id}/overrides`, { user_id: author.user.id, allow: 0, deny });
    } else if (kind === "block") {
      // The one who blocks may not write to the other, but reads on.
      if (by === 2) await author.put(`/users/@me/blocks/${this.#person(1).user.id}`);
    } else if (about !== undefined) {
      const writer = this.#person(about.by);
      const channelId = this.#place(about.place).id;
      if (kind === "edit") await writer.patch(`/${prefix}/${about.id}`, { content });
      else if (kind === "delete") await writer.delete(`/${prefix}/${about.id}`);
      else if (prefix === "messages" && about.root === null) {
        if (kind === "pin") await this.#person(0).post(`/channels/${channelId}/messages/${about.id}/pin`);
        else {
          const answer = await author.post(`/channels/${channelId}/messages/${about.id}/thread`, { content });
          if (answer.status === 201) this.#add(Message.parse(answer.body).id, by, about.place, about.id);
        }
      }
    }
  }

  #add(id: string, by: number, place: number, root: string | null): void {
    this.#messages.push({ id, by, place, root });
  }

  #person(index: number): UserClient {
    const person = this.people[index];
    if (person === undefined) throw new Error(`There is no person ${index}`);
    return person;
  }

  #place(index: number) {
    const place = this.places[index];
    if (place === undefined) throw new Error(`There is no place ${index}`);
    return place;
  }

  /** Everything that somebody can read by history. */
  async history(by: number): Promise<Seen[]> {
    const reader = this.#person(by);
    const seen: Seen[] = [];
    for (const place of this.places) {
      const path = place.isDirect ? `/dm-channels/${place.id}/messages` : `/channels/${place.id}/messages`;
      for (let before = ""; ; ) {
        const answer = await reader.get(`${path}?limit=100${before}`);
        if (answer.status !== 200) break;
        const page = z.array(z.union([Message, DmMessage])).parse(answer.body);
        for (const message of page) {
          seen.push(seenOf(message, place.id));
          if ("thread_reply_count" in message && message.thread_reply_count > 0) {
            const thread = await reader.get(`${path}/${message.id}/thread?limit=100`);
            const replies = z
              .object({ messages: z.array(Message) })
              .or(z.array(Message))
              .parse(thread.body);
            for (const reply of Array.isArray(replies) ? replies : replies.messages) seen.push(seenOf(reply, place.id));
          }
        }
        if (page.length < 100) break;
        before = `&before=${page.at(-1)?.id}`;
      }
    }
    return seen;
  }

  /** Compares what a search finds, on either api, with a scan of what its searcher reads by history. @returns how many messages */
  async compare(by: number, { language, words, from, place, flags }: Query, history: readonly Seen[]): Promise<number> {
    const within = place === null ? undefined : this.places[place % this.places.length];
    const isReadable = within !== undefined && (await this.#isReadable(by, within));
    const filters = [
      ...flags,
      ...(from === null ? [] : [`from:${this.#person(from).username}`]),
      ...(within !== undefined && isReadable ? [`in:${within.id}`] : []),
    ];
    if (words.length + filters.length === 0) return 0;
    const q = [...words.map(({ text, isExcluded }) => `${isExcluded ? "-" : ""}${text}`), ...filters].join(" ");
    const expected = history.filter(
      (message) =>
        words.every(({ text, isExcluded }) => matches(message.content, text, language) !== isExcluded) &&
        (from === null || message.author_id === this.#person(from).user.id) &&
        (!isReadable || message.place === within?.id) &&
        flags.every((flag) => hasFlag(message, flag)),
    );
    const found: string[] = [];
    for (let before = ""; ; ) {
      const searcher = this.#person(by);
      const api = this.stack.apis[found.length % this.stack.apis.length]?.url ?? "";
      const answer = await createClient(api)
        .withAuthorization(`Bearer ${searcher.accessToken}`)
        .send("GET", `/search?limit=37&q=${encodeURIComponent(q)}${before}`, {
          headers: { "accept-language": language },
        });
      const page = answer.expect(200, FoundPage);
      found.push(...page.results.map(({ message }) => message.id));
      if (page.next === null) break;
      before = `&before=${page.next}`;
    }
    expect({ q, language, found }).toEqual({
      ...{ q, language },
      found: expected
        .map(({ id }) => id)
        .toSorted()
        .toReversed(),
    });
    return found.length;
  }

  async #isReadable(by: number, place: { id: string; isDirect: boolean }): Promise<boolean> {
    const path = place.isDirect ? `/dm-channels/${place.id}/messages` : `/channels/${place.id}/messages`;
    return (await this.#person(by).get(`${path}?limit=1`)).status === 200;
  }
}

const seenOf = (message: Message | DmMessage, place: string): Seen => ({
  ...{ id: message.id, author_id: message.author_id, content: message.content, place },
  isReply: "thread_id" in message && message.thread_id !== null,
  isEdited: message.edited_at !== null,
  isPinned: "pinned" in message && message.pinned,
});

function hasFlag(message: Seen, flag: Query["flags"][number]): boolean {
  if (flag === "has:link") return message.content.includes("https://");
  if (flag === "is:thread") return message.isReply;
  return flag === "is:edited" ? message.isEdited : message.isPinned;
}

/** A word as it is written, or in another form of a message in the searcher's language. */
function matches(text: string, written: string, language: Language): boolean {
  const words = wordsOf(text);
  if (words.includes(fold(written))) return true;
  const group = groups.find(({ forms }) => forms.some((form) => form === written));
  if (group === undefined || group.language !== language) return false;
  if (!isOf(text, language)) return false;
  return group.forms.some((form) => words.includes(fold(form)));
}

/** Rounds of changes and of queries by everybody. @param options.queries of a round @returns how many queries found how much */
export async function runRounds({ rounds, queries, seed }: { rounds: number; queries: number; seed: number }) {
  const model = await SearchModel.start();
  const counts = { queries: 0, withMatches: 0, matches: 0 };
  for (let round = 0; round < rounds; round++) {
    await model.stayLoggedIn();
    const sample = { seed: seed + round, numRuns: round === 0 ? 40 : 8 };
    for (const each of fc.sample(change, sample)) await model.apply(each);
    const histories = await Promise.all([0, 1, 2].map((by) => model.history(by)));
    const asked = fc.sample(query, { seed: seed - round, numRuns: queries });
    for (const [index, each] of asked.entries()) {
      const found = await model.compare(index % 3, each, histories[index % 3] ?? []);
      counts.queries += 1;
      counts.matches += found;
      if (found > 0) counts.withMatches += 1;
    }
  }
  return counts;
}
