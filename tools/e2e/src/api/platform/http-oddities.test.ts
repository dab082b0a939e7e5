import { get, request } from "node:http";
import { gzipSync } from "node:zlib";
import { type Channel, errorBody as error, Message } from "@parley/contracts";
import {
  createChannel,
  createClient,
  createServer,
  createServerWithMembers,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import { beforeAll, describe, expect, test } from "vitest";

let stack: SharedStack;
let ann: UserClient;
let bob: UserClient;
let channel: Channel;
let serverId: string;

beforeAll(async () => {
  stack = await sharedStack();
  const fixture = await createServerWithMembers(createClient(stack.edgeUrl), 1);
  const [member] = fixture.members;
  ann = fixture.owner;
  bob = member;
  channel = fixture.channel;
  serverId = fixture.server.id;
});

const json = { "content-type": "application/json" };

/** Sends bytes in pieces without saying how many there will be. */
function sendChunked(path: string, pieces: readonly Uint8Array[], headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    const options = { method: "POST", headers: { authorization: `Bearer ${ann.accessToken}`, ...headers } };
    const sent = request(`${stack.edgeUrl}${path}`, options, (answer) => {
      let text = "";
      answer.on("data", (part) => {
        text += String(part);
      });
      answer.on("end", () => resolve({ status: answer.statusCode, text }));
    });
    sent.on("error", reject);
    const writeAll = () => {
      for (const piece of pieces) sent.write(piece);
      sent.end();
    };
    if (headers.expect === undefined) writeAll();
    else {
      sent.on("continue", writeAll);
      sent.flushHeaders();
    }
  });
}

describe("paths", () => {
  test("an encoded path is the path that it stands for", async () => {
    for (const path of ["/users/%40me", "/api/users/%40me", "/%75sers/@me", "/%61pi/users/@me/"]) {
      expect([path, (await ann.get(path)).body]).toEqual([path, ann.user]);
    }
    const { status, body } = await ann.get(`/channels/${channel.id.toUpperCase()}`);
    expect([status, body]).toEqual([200, channel]);
  });

  test("an encoded slash divides nothing, and bytes that are not UTF-8 find nothing", async () => {
    expect((await ann.get(`/servers%2F${serverId}`)).status).toBe(404);
    const message = (await ann.post(`/channels/${channel.id}/messages`, { content: "odd" })).expect(201, Message);
    const reactions = `/channels/${channel.id}/messages/${message.id}/reactions`;
    for (const emoji of ["%ff", "%00", "%ED%A0%80", "x".repeat(65)]) {
      const answer = await ann.put(`${reactions}/${emoji}`);
      expect([answer.status, answer.body]).toEqual([400, error("Emoji must be between 1 and 64 bytes")]);
    }
    expect((await ann.put(`${reactions}/a%2Fb%3Fc%25`)).body).toEqual(error("Not an emoji"));
    expect((await ann.delete(`${reactions}/a%2Fb%3Fc%25`)).body).toEqual(error("Reaction not found"));
    expect((await ann.get("/invites/%ff")).body).toEqual(error("Invite not found or has expired"));
  });

  test("a WebSocket of another path than the gateway's is refused in the words of the path", async () => {
    const answerTo = (path: string) =>
      new Promise<{ status: number | undefined; body: unknown }>((resolve, reject) => {
        const headers = { connection: "Upgrade", upgrade: "websocket" };
        get(`${stack.edgeUrl}${path}`, { headers, agent: false }, async (answer) => {
          resolve({ status: answer.statusCode, body: JSON.parse((await answer.toArray()).join("")) });
        }).on("error", reject);
      });
    for (const path of ["/socket", "/api/api/ws", "/metrics"]) {
      expect(await answerTo(path)).toEqual({ status: 404, body: error("Not found") });
    }
    expect(await answerTo("/servers")).toEqual({ status: 401, body: error("Invalid or expired token") });
  });

  test("HEAD answers like GET without a body", async () => {
    const answer = await ann.send("HEAD", `/servers/${serverId}`);
    expect([answer.status, answer.body]).toEqual([200, undefined]);
    expect(Number(answer.headers.get("content-length"))).toBeGreaterThan(100);
    expect((await ann.send("HEAD", "/dm-channels/x/ack")).status).toBe(404);
  });
});

describe("queries", () => {
  test.each([
    ["limit=1&limit=2", "limit must be an integer"],
    ["limit=", "limit must be an integer"],
    ["limit=1.0", "limit must be an integer"],
    ["limit=abc", "limit must be an integer"],
    ["before=1", "Invalid before"],
    ["before=", "Invalid before"],
    ["before=%00", "Invalid before"],
  ])("a history with ?%s is refused", async (query, text) => {
    for (const path of [`/channels/${channel.id}/messages`, `/servers/${serverId}/audit-logs`]) {
      const answer = await ann.get(`${path}?${query}`);
      expect([path, answer.status, answer.body]).toEqual([path, 400, error(text)]);
    }
  });

  test("limits outside of their range are clamped, unknown parameters ignored", async () => {
    for (const query of ["limit=0", "limit=-5", "limit=99999999999999999999", "limit[]=1", "other=1", "limit=%31"]) {
      expect((await ann.get(`/channels/${channel.id}/messages?${query}`)).status).toBe(200);
    }
    expect((await ann.get(`/channels/${channel.id}/messages?limit=0`)).body).toHaveLength(1);
  });

  test("a search is refused with a repeated or unstorable query", async () => {
    for (const query of ["q=ab&q=cd", "q=%00%00", "q=", "", "q=a"]) {
      const answer = await ann.get(`/servers/${serverId}/search?${query}`);
      expect([query, answer.status, answer.body]).toEqual([query, 400, error("Query must be 2-200 characters")]);
    }
  });
});

describe("bodies", () => {
  const path = () => `/channels/${channel.id}/messages`;
  const bytes = (content: string) => Buffer.from(JSON.stringify({ content }));

  test("arrive in pieces, after a 100 Continue, or compressed", async () => {
    const whole = bytes("in pieces");
    const pieces = await sendChunked(path(), [whole.subarray(0, 5), whole.subarray(5)], json);
    const expected = await sendChunked(path(), [bytes("expected")], { ...json, expect: "100-continue" });
    const zipped = await sendChunked(path(), [gzipSync(bytes("zipped"))], { ...json, "content-encoding": "gzip" });
    expect([pieces, expected, zipped].map(({ status }) => status)).toEqual([201, 201, 201]);
  });

  test("bodies that are broken in any way are 400", async () => {
    const big = Buffer.alloc(300 * 1024, 32);
    const cases: [Uint8Array, Record<string, string>, string][] = [
      [Buffer.from("no gzip"), { "content-encoding": "gzip" }, "Malformed request body"],
      [gzipSync(bytes("cut")).subarray(0, 20), { "content-encoding": "gzip" }, "Malformed request body"],
      [bytes("x"), { "content-encoding": "unheard-of" }, "Malformed request body"],
      [bytes("x"), { "content-type": "application/json; charset=koi8-r" }, "Malformed request body"],
      [gzipSync(big), { "content-encoding": "gzip" }, "Request body must be at most 256 KB"],
      [big, {}, "Request body must be at most 256 KB"],
      [Buffer.from(`{"content":${"[".repeat(9)}`), {}, "Malformed JSON"],
      [Buffer.from(`{"x":${"[".repeat(50_000)}${"]".repeat(50_000)}}`), {}, "Request body is nested too deeply"],
      [Buffer.from(`{"x":[${"0,".repeat(10_000)}0]}`), {}, "Request body has too many values"],
    ];
    for (const [body, headers, text] of cases) {
      const answer = await sendChunked(path(), [body], { ...json, ...headers });
      expect([text, answer.status, JSON.parse(answer.text)]).toEqual([text, 400, error(text)]);
    }
  });

  test("count as JSON by their media type alone, whatever its case and parameters", async () => {
    for (const type of [
      "Application/JSON",
      "application/json;charset=utf-8",
      "application/json; x=1",
      "application/json;",
    ]) {
      const answer = await sendChunked(path(), [bytes("named")], { "content-type": type });
      expect([type, answer.status]).toEqual([type, 201]);
    }
  });

  test("name their encoding by any label that browsers know for Unicode", async () => {
    const utf8 = [
      "utf8",
      "UTF-8",
      "Utf8",
      '"utf8"',
      '" UTF-8 "',
      "unicode-1-1-utf-8",
      "unicode11utf8",
      "x-unicode20utf8",
      "",
    ];
    for (const label of utf8) {
      for (const type of [`application/json; charset=${label}`, `application/json;x=1; Charset = ${label} ;y=2`]) {
        const answer = await sendChunked(path(), [bytes("grüße")], { "content-type": type });
        expect([type, answer.status, JSON.parse(answer.text).content]).toEqual([type, 201, "grüße"]);
      }
    }
    const wide = Buffer.from(bytes("grüße").toString(), "utf16le");
    for (const label of ["utf-16", "UTF-16LE", "ucs-2"]) {
      const answer = await sendChunked(path(), [wide], { "content-type": `application/json; charset=${label}` });
      expect([label, answer.status, JSON.parse(answer.text).content]).toEqual([label, 201, "grüße"]);
    }
    for (const label of ["utf", "utf-7", "utf9", "latin1", "iso-8859-1", "nonsense"]) {
      const answer = await sendChunked(path(), [bytes("x")], { "content-type": `application/json; charset=${label}` });
      expect([label, answer.status, JSON.parse(answer.text)]).toEqual([label, 400, error("Malformed request body")]);
    }
  });

  test("may name a field of Object.prototype or one field twice", async () => {
    const body = '{"__proto__":{"content":"no"},"constructor":1,"content":"first","content":"second"}';
    const answer = await ann.send("POST", path(), { body, headers: json });
    expect(answer.expect(201, Message).content).toBe("second");
  });
});

describe("at the same moment", () => {
  test("of two deletions of a server at the same moment one succeeds and one finds nothing", async () => {
    const server = await createServer(ann);
    const answers = await Promise.all(Array.from({ length: 6 }, () => ann.delete(`/servers/${server.id}`)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 404, 404, 404, 404, 404]);
  });

  test("changes, uses and the deletion of a channel or server never fail inside", async () => {
    for (let round = 0; round < 4; round += 1) {
      const server = await createServer(ann, { is_public: true });
      const { id } = await createChannel(ann, server.id);
      const deletion = () => (round % 2 === 0 ? ann.delete(`/channels/${id}`) : ann.delete(`/servers/${server.id}`));
      const answers = await Promise.all([
        ann.patch(`/channels/${id}`, { name: "renamed" }),
        ann.patch(`/servers/${server.id}`, { name: "renamed" }),
        ann.post(`/channels/${id}/ack`),
        ann.post(`/channels/${id}/messages`, { content: "hello" }),
        deletion(),
        ann.put(`/channels/${id}/overrides`, { user_id: ann.user.id, allow: 0, deny: 0 }),
        ann.post(`/channels/${id}/polls`, { question: "Which?", options: ["a", "b"] }),
        ann.post(`/servers/${server.id}/channels`, { name: "another" }),
        ann.post(`/servers/${server.id}/roles`, { name: "role" }),
        ann.post(`/servers/${server.id}/invites`),
        bob.post(`/servers/${server.id}/join`),
        ann.post(`/channels/${id}/ack`),
        ann.post(`/channels/${id}/messages`, { content: "hello again" }),
        ann.patch(`/channels/${id}`, { name: "renamed again" }),
      ]);
      expect(answers.filter(({ status }) => ![200, 201, 204, 404].includes(status))).toEqual([]);
    }
  });
});
