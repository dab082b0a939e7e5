import { expect, test } from "vitest";
import { begun, channel, me, member, message, opened } from "../app/sample-state.js";
import { channelSince, onChannel } from "../community/channel-events.js";
import { memberSince, onMemberUpdate } from "../community/member-events.js";
import {
  emojiSince,
  onEmojiCreate,
  onEmojiDelete,
  onRole,
  onRoleDelete,
  onTimeout,
  roleSince,
  timeoutSince,
} from "../community/server-events.js";
import { onUserUpdate, userSince, withMembers } from "../community/user-events.js";
import {
  messageSince,
  onMessageCreate,
  onMessageDelete,
  onMessageUpdate,
  onPollVote,
  sentSince,
} from "../conversations/message-events.js";
import type { AppState } from "./app-state.js";
import { type AppStore, type Change, createAppStore } from "./app-store.js";

const role = {
  id: "role",
  server_id: "server",
  name: "Old",
  permissions: 0,
  color: "#99aab5",
  position: 1,
  created_at: channel.created_at,
  rights: [],
};
const ben = member("ben");
const ofMember = { server_id: "server", user_id: "ben" };
const poll = (votes: number) => ({
  id: "poll",
  question: "Tea?",
  options: [{ id: "yes", text: "Yes", votes }],
  total_votes: votes,
  user_vote: null,
});
const emoji = {
  id: "emoji",
  server_id: "server",
  name: "tea",
  url: "/emojis/emoji.png",
  content_type: "image/png",
  file_size: 68,
  created_by: null,
  created_at: channel.created_at,
};
const known = message(1);
const listed = (state: AppState, id: string) => state.histories.channel?.messages.find((one) => one.id === id);

/** The page after an event came during the request, and then the answer, which is older. */
async function after(
  begin: Change,
  event: Change,
  change: (store: AppStore, answer: () => Promise<void>) => Promise<unknown>,
) {
  const store = createAppStore();
  store.setState(begin(opened));
  let answered = () => {};
  const answer = new Promise<void>((resolve) => {
    answered = resolve;
  });
  const sent = change(store, () => answer);
  store.apply(event);
  answered();
  await sent;
  return store.getState();
}

/** A request whose answer is given later. */
const late =
  <Answer>(answer: Answer) =>
  (given: () => Promise<void>) =>
  () =>
    given().then(() => answer);
const same: Change = (state) => state;

test("an own vote's late answer leaves the votes that came meanwhile", async () => {
  const state = await after(
    same,
    (before) =>
      onPollVote(before, { poll_id: "poll", channel_id: "channel", message_id: known.id, updated_poll: poll(2) }),
    (store, given) =>
      store.change(late(poll(1))(given), (before, voted, since) =>
        messageSince(before, known, (one) => ({ ...one, poll: voted }), since),
      ),
  );
  expect(listed(state, known.id)?.poll?.total_votes).toBe(2);
});

test("the answer to an edit leaves a later edit, and the replies that were counted", async () => {
  const edited = message(1, { content: "first" });
  const state = await after(
    same,
    (before) => onMessageUpdate(before, message(1, { content: "second", thread_reply_count: 3 })),
    (store, given) =>
      store.change(late(edited)(given), (before, one, since) => messageSince(before, edited, () => one, since)),
  );
  expect(listed(state, known.id)).toMatchObject({ content: "second", thread_reply_count: 3 });
});

test("a message that was deleted before the answer to its sending stays away", async () => {
  const sent = message(3, { author_id: me.id });
  const state = await after(
    same,
    (before) => onMessageDelete(onMessageCreate(before, sent), { ...sent }),
    (store, given) => store.change(late(sent)(given), sentSince),
  );
  expect(listed(state, sent.id)).toBeUndefined();
});

test("late answers about roles, channels, members, the account and emoji do not replace newer data", async () => {
  const roles = await after(
    (before) => onRole(before, role),
    (before) => onRole(before, { ...role, name: "New" }),
    (store, given) => store.change(late(role)(given), roleSince),
  );
  expect(roles.roles.server).toMatchObject([{ name: "New" }]);
  const gone = await after(
    (before) => onRole(before, role),
    (before) => onRoleDelete(before, { server_id: "server", role_id: "role" }),
    (store, given) => store.change(late(role)(given), roleSince),
  );
  expect(gone.roles.server).toEqual([]);
  const channels = await after(
    same,
    (before) => onChannel(before, { ...channel, name: "new" }),
    (store, given) => store.change(late(channel)(given), channelSince),
  );
  expect(channels.channels.channel?.name).toBe("new");
  const members = await after(
    (before) => withMembers(before, "server", [ben]),
    (before) => onMemberUpdate(before, { server_id: "server", member: { ...ben, nickname: "New" } }),
    (store, given) =>
      store.change(late(ben)(given), (before, one, since) =>
        memberSince(before, { server_id: "server", member: one }, since),
      ),
  );
  expect(members.members.server?.ben?.nickname).toBe("New");
  const timeouts = await after(
    (before) => withMembers(before, "server", [ben]),
    (before) => onTimeout(before, ofMember, null),
    (store, given) =>
      store.change(late("2027-01-01T00:00:00.000Z")(given), (before, until, since) =>
        timeoutSince(before, ofMember, until, since),
      ),
  );
  expect(timeouts.members.server?.ben?.timeout_expires_at).toBeNull();
  const account = await after(
    same,
    (before) => onUserUpdate(before, { ...me, bio: "New" }),
    (store, given) => store.change(late(me)(given), userSince),
  );
  expect(account.me?.bio).toBe("New");
  const emojis = await after(
    same,
    (before) => onEmojiDelete(onEmojiCreate(before, emoji), { server_id: "server", emoji_id: "emoji" }),
    (store, given) => store.change(late(emoji)(given), emojiSince),
  );
  expect(emojis.emojis.server).toEqual([]);
});

test("an answer without events meanwhile is shown, and a refused change changes nothing", async () => {
  const state = await after(same, same, (store, given) =>
    store.change(late({ ...channel, name: "new" })(given), channelSince),
  );
  expect(state.channels.channel?.name).toBe("new");
  const store = createAppStore();
  store.setState(begun);
  await expect(store.change(() => Promise.reject(new Error("refused")), channelSince)).rejects.toThrow("refused");
  expect(store.getState()).toEqual(begun);
});
