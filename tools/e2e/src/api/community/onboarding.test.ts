import { errorBody as error, Member, Onboarding, permissionBits, Role } from "@parley/contracts";
import {
  connectGateway,
  createChannel,
  createClient,
  createServerWithMembers,
  type RestClient,
  type ServerFixture,
  type SharedStack,
  sharedStack,
  type UserClient,
  type Users,
} from "@parley/testing";
import { beforeEach, expect, test } from "vitest";

let stack: SharedStack;
let client: RestClient;
let fixture: ServerFixture<Users<1>>;
beforeEach(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  fixture = await createServerWithMembers(client, 1);
});

const path = () => `/servers/${fixture.server.id}/onboarding`;
const role = async (fields: object = {}) =>
  (await fixture.owner.post(`/servers/${fixture.server.id}/roles`, { name: "Rook", ...fields })).expect(201, Role);
const hiddenChannel = async () => {
  const { owner, server } = fixture;
  const channel = await createChannel(owner, server.id, { name: "hidden" });
  const closed = { role_id: server.id, allow: 0, deny: permissionBits.VIEW_CHANNEL };
  expect((await owner.put(`/channels/${channel.id}/overrides`, closed)).status).toBe(200);
  return channel.id;
};
const question = (fields: object, ...options: object[]) => ({
  title: "Why are you here?",
  options: options.map((option, index) => ({ title: `Option ${index}`, ...option })),
  ...fields,
});
const write = async (questions: object[], fields: object = {}) =>
  (await fixture.owner.put(path(), { enabled: true, questions, ...fields })).expect(200, Onboarding.strict());
const answer = (by: RestClient, answers: unknown) =>
  by.put(`/servers/${fixture.server.id}/members/@me/onboarding`, { answers });
const rolesAfter = async (by: RestClient, answers: unknown) =>
  (await answer(by, answers)).expect(200, Member).roles.map(({ id }) => id);
const connect = ({ accessToken }: UserClient, query: string) =>
  connectGateway(stack.gateways[0]?.url ?? "", accessToken, {
    query: `token=${encodeURIComponent(accessToken)}&${query}`,
  });

test("it begins disabled and empty, the ids of what was read stay, and members do not read of channels that are hidden", async () => {
  const { owner, members, channel } = fixture;
  const [member] = members;
  const empty = { enabled: false, welcome: null, channels: [], questions: [] };
  expect((await member.get(path())).body).toEqual(empty);
  const hidden = await hiddenChannel();
  const rook = await role();
  const channels = [
    { channel_id: channel.id, description: "Begin here" },
    { channel_id: hidden, description: "" },
  ];
  const first = await write(
    [
      question(
        { title: " Why are you here? " },
        { title: "Option 0 ", emoji: "♜", role_ids: [rook.id], channel_ids: [hidden] },
      ),
    ],
    {
      welcome: "Hello",
      channels,
    },
  );
  expect(first).toEqual({
    enabled: true,
    welcome: "Hello",
    channels,
    questions: [
      {
        id: expect.any(String),
        title: "Why are you here?",
        single: false,
        required: false,
        options: [
          { id: expect.any(String), title: "Option 0", emoji: "♜", role_ids: [rook.id], channel_ids: [hidden] },
        ],
      },
    ],
  });
  expect((await owner.get(path())).body).toEqual(first);
  const read = (await member.get(path())).expect(200, Onboarding);
  expect(read.channels).toEqual([channels[0]]);
  expect(read.questions[0]?.options[0]?.channel_ids).toEqual([]);
  const second = await write([question({}), ...first.questions, question({ id: "made up" })]);
  expect(second.questions[1]).toEqual(first.questions[0]);
  expect(second.questions[2]?.id).not.toBe("made up");
  expect((await owner.delete(`/servers/${fixture.server.id}/roles/${rook.id}`)).status).toBe(204);
  expect((await owner.get(path())).expect(200, Onboarding).questions[1]?.options[0]?.role_ids).toEqual([]);
  const refused = await member.put(path(), { enabled: true });
  expect([refused.status, refused.body]).toEqual([403, error("You need the Manage Server permission")]);
});

test("answers give roles and open channels at every api, and dropped ones take what they alone gave", async () => {
  const { owner, members, server } = fixture;
  const [member] = members;
  const [given, kept] = [await role(), await role()];
  const hidden = await hiddenChannel();
  expect((await owner.put(`/servers/${server.id}/members/${member.user.id}/roles/${kept.id}`)).status).toBe(204);
  const { questions } = await write([
    question({}, { role_ids: [given.id, kept.id], channel_ids: [hidden] }, { role_ids: [given.id] }),
  ]);
  const [{ id = "", options = [] } = {}] = questions;
  const [both = "", one = ""] = options.map((option) => option.id);
  const open = () =>
    Promise.all(
      stack.apis.map(async ({ url }) => {
        const by = createClient(url).withAuthorization(`Bearer ${member.accessToken}`);
        return (await by.get(`/channels/${hidden}/messages`)).status;
      }),
    );
  expect(await open()).toEqual(stack.apis.map(() => 403));
  const old = connect(member, "v=1");
  const watching = connect(owner, "v=2&members=all");
  await Promise.all([old.ready, watching.ready]);
  expect(await rolesAfter(member, { [id]: [both] })).toEqual(expect.arrayContaining([given.id, kept.id]));
  expect(await open()).toEqual(stack.apis.map(() => 200));
  await old.waitFor("MEMBER_ROLE_ADD", ({ role_id }) => role_id === given.id);
  const update = await watching.waitFor("MEMBER_UPDATE", ({ member: of }) => of.user_id === member.user.id);
  expect(update.member.roles.map((of) => of.id)).toContain(given.id);
  // The same answers change nothing, and of two answers that give a role one is enough.
  await rolesAfter(member, { [id]: [both] });
  expect(await rolesAfter(member, { [id]: [one] })).toEqual(expect.arrayContaining([given.id, kept.id]));
  expect(await open()).toEqual(stack.apis.map(() => 403));
  expect(await rolesAfter(member, {})).toEqual([kept.id]);
  await old.waitFor("MEMBER_ROLE_REMOVE", ({ role_id }) => role_id === given.id);
  await watching.waitFor("MEMBER_UPDATE", ({ member: of }) => of.roles.every((each) => each.id !== given.id));
  const heard = (socket: typeof old, name: string) => socket.events.filter((event) => event.name === name).length;
  expect([heard(watching, "MEMBER_UPDATE"), heard(watching, "MEMBER_ROLE_ADD")]).toEqual([2, 0]);
  expect([heard(old, "MEMBER_ROLE_ADD"), heard(old, "MEMBER_UPDATE")]).toEqual([1, 0]);
  for (const socket of [old, watching]) socket.terminate();
});

test("a role that moderates is refused, and skipped once it does by the time of the answer", async () => {
  const { owner, members, server } = fixture;
  const [member] = members;
  const harmless = await role();
  const { questions } = await write([question({}, { role_ids: [harmless.id] })]);
  const [{ id = "", options = [] } = {}] = questions;
  const { MANAGE_MESSAGES, MUTE_MEMBERS, KICK_MEMBERS, BAN_MEMBERS, MANAGE_CHANNELS, ADMINISTRATOR } = permissionBits;
  const bits = [MANAGE_MESSAGES, MUTE_MEMBERS, KICK_MEMBERS, BAN_MEMBERS, MANAGE_CHANNELS, ADMINISTRATOR];
  for (const fields of [...bits.map((permissions) => ({ permissions })), { rights: ["mention_everyone"] }]) {
    const strong = await role(fields);
    const body = { enabled: true, questions: [question({}, { role_ids: [harmless.id, strong.id] })] };
    const answered = await owner.put(path(), body);
    expect([answered.status, answered.body]).toEqual([
      400,
      error("Invalid value for questions.0.options.0.role_ids.1"),
    ]);
  }
  const promoted = { permissions: permissionBits.MANAGE_MESSAGES };
  expect((await owner.patch(`/servers/${server.id}/roles/${harmless.id}`, promoted)).status).toBe(200);
  expect(await rolesAfter(member, { [id]: options.map((option) => option.id) })).toEqual([]);
});

test("answers that do not fit are refused with their path, and those to what is disabled with 409", async () => {
  const [member] = fixture.members;
  const none = await answer(member, {});
  expect([none.status, none.body]).toEqual([409, error("Onboarding is disabled")]);
  const { questions } = await write([question({ single: true, required: true }, {}, {})]);
  const [{ id = "", options = [] } = {}] = questions;
  const invalid = error(`Invalid value for answers.${id}`);
  for (const [answers, body] of [
    [{}, error(`answers.${id} is required`)],
    [{ [id]: [] }, error(`answers.${id} is required`)],
    [{ [id]: options.map((option) => option.id) }, invalid],
    [{ [id]: ["other"] }, invalid],
    [{ [id]: [options[0]?.id], other: [] }, error("Invalid value for answers.other")],
    ["no", error("Invalid value for answers")],
    [{ [id]: "no" }, invalid],
  ] as const) {
    const answered = await answer(member, answers);
    expect([answered.status, answered.body]).toEqual([400, body]);
  }
  expect((await answer(member, { [id]: [options[1]?.id] })).status).toBe(200);
  expect((await fixture.owner.put(path(), { enabled: false })).status).toBe(200);
  expect((await answer(member, {})).status).toBe(409);
});

test.each([
  [{}, "enabled is required"],
  [{ enabled: "yes" }, "Invalid value for enabled"],
  [{ enabled: true, welcome: "x".repeat(1_001) }, "Invalid value for welcome"],
  [{ enabled: true, channels: [{ channel_id: crypto.randomUUID() }] }, "Invalid value for channels.0.channel_id"],
  [{ enabled: true, questions: [{ title: " ", options: [] }] }, "Invalid value for questions.0.title"],
  [
    { enabled: true, questions: [{ title: "x", options: [{ title: "x".repeat(51) }] }] },
    "Invalid value for questions.0.options.0.title",
  ],
  [
    { enabled: true, questions: [{ title: "x", options: [{ title: "x", channel_ids: [crypto.randomUUID()] }] }] },
    "Invalid value for questions.0.options.0.channel_ids.0",
  ],
  [
    { enabled: true, questions: Array.from({ length: 9 }, () => ({ title: "x", options: [] })) },
    "Invalid value for questions",
  ],
])("an onboarding of %j is refused", async (body, text) => {
  const answered = await fixture.owner.put(path(), body);
  expect([answered.status, answered.body]).toEqual([400, error(text)]);
});
