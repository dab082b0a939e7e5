import { randomUUID } from "node:crypto";
import { createEvent } from "@parley/contracts";
import type { ReceivedEvent } from "@parley/messaging";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { receivedLive } from "../fan-out/hub-fixture.js";
import { messageOf } from "../gateway-fixture.js";
import { type Selection, SourceEvents, sequenceOf } from "./source-events.js";

const users = { mine: randomUUID(), theirs: randomUUID(), others: randomUUID() };
const serverId = randomUUID();
const [shown, hidden] = [randomUUID(), randomUUID()] as const;
const [followed, unfollowed] = [randomUUID(), randomUUID()] as const;

const step = fc.record({
  channel: fc.constantFrom(shown, hidden),
  author: fc.constantFrom("mine", "theirs"),
  mentions: fc.subarray<"mine" | "others">(["mine", "others"]),
  everyone: fc.boolean(),
  thread: fc.constantFrom(null, followed, unfollowed),
  answers: fc.constantFrom(null, "mine", "theirs"),
  isOfServer: fc.boolean(),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

function eventOf(one: Step, sequence: number): ReceivedEvent {
  const event = one.isOfServer
    ? createEvent("MEMBER_UNBAN", { server_id: serverId }, { server_id: serverId, user_id: users.others })
    : createEvent(
        one.thread === null ? "MESSAGE_CREATE" : "THREAD_MESSAGE_CREATE",
        { server_id: serverId, channel_id: one.channel },
        {
          ...messageOf(one.channel, "x"),
          author_id: users[one.author],
          mention_user_ids: one.mentions.map((name) => users[name]),
          mention_everyone: one.everyone,
          thread_id: one.thread,
        },
      );
  const answers = one.answers === null ? null : users[one.answers];
  return { ...receivedLive(event), stored: { sequence, previousSequence: 0 }, answers };
}

describe("the events of a server that is passive", () => {
  test("are selected and listed by channel exactly as the contract's table says, for every range", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat(13), fc.nat(13), (steps, from, to) => {
        const events = new SourceEvents();
        const selection: Selection = {
          userId: users.mine,
          roleIds: [],
          inView: new Set([shown]),
        };
        const isFollowing = (threadId: string) => threadId === followed;
        for (const [index, one] of steps.entries()) {
          events.add(eventOf(one, index + 1));
          // The index grows with the events.
          if (index === 3) events.between({ from: 0, to: index }).select(selection, isFollowing);
        }
        const inRange = steps.flatMap((one, index) =>
          index + 1 >= from && index + 1 <= to ? [{ ...one, index }] : [],
        );
        const isMine = ({ author, mentions, answers }: Step) =>
          author === "mine" || mentions.includes("mine") || answers === "mine";
        const gets = (one: Step) =>
          one.isOfServer || one.everyone || one.channel === shown || one.thread === followed || isMine(one);
        const stored = events.between({ from, to });
        const selected = stored.select(selection, isFollowing).map(sequenceOf);
        expect(selected).toEqual(inRange.filter(gets).map(({ index }) => index + 1));
        const listed = [...stored.inViewOnly()].map(([id, found]) => [id, [...found].map(sequenceOf)]);
        for (const channel of [shown, hidden]) {
          const own = inRange.filter((one) => !one.isOfServer && !one.everyone && one.channel === channel);
          const expected = own.map(({ index }) => index + 1).reverse();
          expect(listed.find(([id]) => id === channel)?.[1] ?? []).toEqual(expected);
        }
      }),
    );
  });
});
