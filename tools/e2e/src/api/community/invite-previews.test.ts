import { errorBody as error, Invite, InvitePreview, JoinedServer, PublicInvitePreview } from "@parley/contracts";
import { connectDatabase, type Database } from "@parley/database/prisma";
import {
  connectGateway,
  createClient,
  createServer,
  createServerWithMembers,
  type RestClient,
  type SharedStack,
  sharedStack,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

let stack: SharedStack;
let database: Database;
let client: RestClient;

const silent = { info() {}, warn() {}, error() {} };

beforeAll(async () => {
  stack = await sharedStack();
  database = await connectDatabase({ url: stack.databaseUrl, poolMax: 2, applicationName: "test", logger: silent });
  client = createClient(stack.edgeUrl);
});
afterAll(() => database?.close());

async function invite(by: RestClient, server: string, limits: { max_uses?: number; expires_in_hours?: number } = {}) {
  return (await by.post(`/servers/${server}/invites`, limits)).expect(201, Invite.strict());
}
async function expire({ id }: Invite): Promise<void> {
  await database.prisma.invite.update({ where: { id }, data: { expires_at: new Date(Date.now() - 1) } });
}

test("an invite previews its server to anybody with the code as long as it can be used", async () => {
  const [founder, stranger] = [await client.register(), await client.register()];
  const server = await createServer(founder, { name: "Hidden", icon_url: "https://example.com/i.png" });
  const [open, once, short] = [
    await invite(founder, server.id),
    await invite(founder, server.id, { max_uses: 1 }),
    await invite(founder, server.id, { expires_in_hours: 1 }),
  ];
  const preview = async ({ code }: Invite) => stranger.get(`/invites/${code}`);
  expect((await preview(short)).expect(200, InvitePreview.strict())).toEqual({
    code: short.code,
    server_name: "Hidden",
    server_icon_url: "https://example.com/i.png",
    member_count: 1,
    expires_at: short.expires_at,
  });
  expect((await preview(open)).expect(200, InvitePreview).expires_at).toBeNull();
  (await (await client.register()).post(`/invites/${once.code}/accept`)).expect(201, JoinedServer);
  await expire(short);
  const codes = [once.code, short.code, "AAAAAAAA", open.code.slice(1), "%00", "a".repeat(500)];
  for (const code of codes) {
    const answer = await stranger.get(`/invites/${code}`);
    expect([answer.status, answer.body]).toEqual([404, error("Invite not found or has expired")]);
  }
  expect((await preview(open)).expect(200, InvitePreview).member_count).toBe(2);
});

test("an invite shows its server before the login, with the members who are online, within the limit of the address", async () => {
  const { owner: host, server, members } = await createServerWithMembers(client, 2);
  const [online] = members;
  const socket = connectGateway(stack.edgeUrl, online.accessToken);
  await socket.ready;
  const [shown, ended] = [await invite(host, server.id), await invite(host, server.id)];
  const look = (code: string) => client.get(`/invites/${code}/preview`);
  const answer = await look(shown.code);
  expect(answer.expect(200, PublicInvitePreview.strict())).toEqual({
    code: shown.code,
    server_name: server.name,
    server_icon_url: null,
    member_count: 3,
    online_count: 1,
    expires_at: null,
  });
  expect(answer.headers.has("x-ratelimit-limit")).toBe(true);
  await expire(ended);
  for (const code of [ended.code, "AAAAAAAA", "%00"]) {
    const refused = await look(code);
    expect([refused.status, refused.body]).toEqual([404, error("Invite not found or has expired")]);
  }
  socket.terminate();
});
