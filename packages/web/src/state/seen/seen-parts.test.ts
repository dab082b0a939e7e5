import { expect, test } from "vitest";
import { channel, me, message, ready } from "../app/sample-state.js";
import { emptyState } from "../store/app-state.js";
import { windowOf } from "../store/history.js";
import { onReady } from "../store/ready.js";
import { frameOf, seenMessagesMax, seenOf, withSeen } from "./seen-parts.js";

const messages = Array.from({ length: seenMessagesMax + 1 }, (_, index) => message(index + 1));
const history = windowOf(messages.toReversed(), { hasOlder: false, hasNewer: false });
const connected = { ...onReady(emptyState, ready), channels: { channel }, histories: { channel: history } };
const frame = frameOf(connected) ?? expect.fail();
const seen = seenOf(connected, "channel") ?? expect.fail();

test("the newest messages of a channel are kept, and nothing of a window elsewhere in its history or with gaps", () => {
  expect(seen.messages).toEqual(messages.slice(1));
  expect(seen.hasOlder).toBe(true);
  for (const change of [{ isStale: true }, { hasNewer: true }])
    expect(seenOf({ ...connected, histories: { channel: { ...history, ...change } } }, "channel")).toBeNull();
  expect(frameOf(emptyState)).toBeNull();
});

test("stored data is shown before the first connection only, and is read again after it", () => {
  const marks = { unread: { channel: 2 }, mentions: {} };
  const shown = withSeen(emptyState, frame, marks, [seen], "lost");
  expect(shown).toMatchObject({ me, connection: "lost", readyCount: 0, channels: { channel }, unread: { channel: 2 } });
  expect(shown.histories.channel).toMatchObject({ messages: seen.messages, hasOlder: true, isStale: true });
  expect(onReady(shown, ready).histories.channel?.isStale).toBe(true);
  expect(withSeen(connected, frame, marks, [seen], "lost")).toBe(connected);
});

test("data that is read while the first connection is awaited stays", () => {
  const read = { ...emptyState, histories: { channel: history } };
  const shown = withSeen(read, frame, { unread: {}, mentions: {} }, [seen], "connecting");
  expect(shown).toMatchObject({ me, connection: "connecting", histories: { channel: history } });
});
