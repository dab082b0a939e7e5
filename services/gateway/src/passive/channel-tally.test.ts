import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChannelTally, type TalliedMessage } from "./channel-tally.js";

const users = ["ann", "ben", "cem", "dua"];
const message = fc.record({
  at: fc.nat({ max: 30 }),
  authorId: fc.option(fc.constantFrom(...users)),
  mentionsEveryone: fc.boolean(),
  mentioned: fc.subarray(users),
  mentionsGroup: fc.constant(false),
});

/** A user's unread messages, counted one by one. */
function countSlowly(messages: readonly TalliedMessage[], userId: string, at: number, blocked: readonly string[]) {
  const unread = messages.filter((one) => one.at > at && one.authorId !== userId);
  const mentions = unread.filter(
    ({ mentionsEveryone, mentioned, authorId }) =>
      (mentionsEveryone || mentioned.includes(userId)) && !(authorId !== null && blocked.includes(authorId)),
  );
  return [unread.length, mentions.length];
}

describe("the tally of a channel", () => {
  test("counts as looking at every message does, whatever was loaded and whatever arrived, also twice and late", () => {
    const mark = fc.nat({ max: 30 });
    fc.assert(
      fc.property(
        fc.array(message, { maxLength: 40 }),
        fc.nat({ max: 40 }),
        mark,
        fc.subarray(users),
        (drafts, loaded, at, blocked) => {
          const messages = drafts.map((draft, index) => ({ ...draft, id: `${index}` }));
          const before = messages.slice(0, loaded).sort((one, other) => one.at - other.at);
          const tally = new ChannelTally({
            times: before.map((one) => [one.at, one.authorId] as const),
            mentioning: before.filter((one) => one.mentionsEveryone || one.mentioned.length > 0),
            recent: before.map(({ id }) => id).reverse(),
          });
          for (const one of messages) tally.add(one);
          for (const userId of users) {
            const isBlocked = (authorId: string) => blocked.includes(authorId);
            const counted = [tally.unreadSince(userId, at), tally.mentionsSince(userId, at, isBlocked)];
            expect(counted).toEqual(countSlowly(messages, userId, at, blocked));
          }
          const newest = messages.filter((one) => one.at === Math.max(...messages.map((other) => other.at)));
          expect(newest.length === 0 ? null : newest.map(({ id }) => id)).toSatisfy((ids: string[] | null) =>
            ids === null ? tally.lastMessageId === null : ids.includes(tally.lastMessageId ?? ""),
          );
          for (const { id, mentionsEveryone, mentioned } of messages)
            expect(tally.mentionsIn(id)).toBe(mentionsEveryone ? "everyone" : mentioned.toSorted().join(","));
        },
      ),
    );
  });

  test("counts the newest 10,000 messages, however many there are", () => {
    const tally = new ChannelTally({ times: [], mentioning: [], recent: [] });
    for (let at = 1; at <= 30_000; at += 1)
      tally.add({
        id: `${at}`,
        at,
        authorId: at % 2 === 0 ? "ann" : "ben",
        mentionsEveryone: false,
        mentioned: [],
        mentionsGroup: false,
      });
    expect(tally.unreadSince("cem", 0)).toBe(10_000);
    expect(tally.unreadSince("ann", 0)).toBe(5_000);
    expect(tally.unreadSince("cem", 29_000)).toBe(1_000);
    expect(tally.lastMessageId).toBe("30000");
  });
});
