import { errorBody as error, FoundServers, Server } from "@parley/contracts";
import {
  connectGateway,
  createClient,
  createServer,
  joinServer,
  type RestClient,
  type SharedStack,
  sharedStack,
  type UserClient,
} from "@parley/testing";
import sharp from "sharp";
import { beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { createAdminStage, readAdminLog } from "../stages/admin-stage.js";

let stack: SharedStack;
let client: RestClient;
let admin: UserClient;
let ann: UserClient;
beforeAll(async () => {
  ({ stack, client, admin } = await createAdminStage(await sharedStack()));
  ann = await client.register();
});

const face = { description: "Openings and endgames", tags: ["chess", "board-games"], language: "de-AT" };
const publicServer = async (name: string, fields: object = {}) => {
  const server = await createServer(ann, { name, is_public: true });
  return (await ann.patch(`/servers/${server.id}`, fields)).expect(200, Server.strict());
};
const find = async (query: string, by: RestClient = ann) =>
  (await by.get(`/servers/browse?${query}`)).expect(200, FoundServers);
const names = async (query: string) => (await find(query)).servers.map(({ name }) => name);

test("what a server shows of itself is there only once it is set, and for connections with v=2 alone", async () => {
  const server = await createServer(ann, { name: "Chess" });
  const bare = (await ann.get(`/servers/${server.id}`)).body;
  expect(Object.keys(z.object({}).loose().parse(bare))).not.toContain("tags");
  const connect = (version: number) =>
    connectGateway(stack.gateways[0]?.url ?? "", ann.accessToken, {
      query: `token=${encodeURIComponent(ann.accessToken)}&v=${version}`,
    });
  const socket = connect(2);
  await socket.ready;
  const sent = { ...face, language: "de-at", tags: ["chess", "chess", "board-games"] };
  const changed = (await ann.patch(`/servers/${server.id}`, sent)).expect(200, Server.strict());
  expect(changed).toMatchObject(face);
  expect(await socket.waitFor("SERVER_UPDATE", ({ id }) => id === server.id)).toMatchObject(face);
  expect((await ann.get("/servers")).expect(200, z.array(Server))).toContainEqual(changed);
  const [v1, v2] = [connect(1), connect(2)];
  const inReady = ({ servers }: { servers: { id: string }[] }) => servers.find(({ id }) => id === server.id);
  expect(inReady(await v2.ready)).toMatchObject(face);
  expect(Object.keys(inReady(await v1.ready) ?? {})).not.toEqual(expect.arrayContaining(["description"]));
  const { member_count: _, ...old } = z.object({ member_count: z.int() }).loose().parse(bare);
  expect({ ...inReady(await v1.ready), updated_at: old.updated_at }).toEqual(old);
  const cleared = await ann.patch(`/servers/${server.id}`, { description: "", tags: null, language: null });
  expect(Object.keys(cleared.expect(200, Server.strict()))).toEqual(Object.keys(z.object({}).loose().parse(bare)));
  for (const each of [socket, v1, v2]) each.terminate();
});

test.each([
  [{ description: "x".repeat(301) }, "description must be at most 300 characters"],
  [{ tags: ["a"] }, "tags must be a list of at most 5 tags of 2-24 characters of a-z, 0-9 and -"],
  [{ tags: ["Chess"] }, "tags must be a list of at most 5 tags of 2-24 characters of a-z, 0-9 and -"],
  [
    { tags: ["aa", "bb", "cc", "dd", "ee", "ff"] },
    "tags must be a list of at most 5 tags of 2-24 characters of a-z, 0-9 and -",
  ],
  [{ language: "no language" }, "language must be a BCP 47 language tag"],
  [{ banner_url: "javascript:1" }, "banner_url must use http:// or https://"],
  [{ banner_url: `/media/${"0".repeat(64)}` }, "banner_url must use http:// or https://"],
])("a face of %j is refused", async (body, text) => {
  const server = await createServer(ann);
  const answer = await ann.patch(`/servers/${server.id}`, body);
  expect([answer.status, answer.body]).toEqual([400, error(text)]);
});

test("a banner is cut to 16:9, 960 pixels at most, upright, and goes with its server", async () => {
  const server = await createServer(ann);
  const upload = async (width: number, height: number, orientation: number) => {
    const image = await sharp({ create: { width, height, channels: 3, background: "teal" } })
      .jpeg()
      .withMetadata({ orientation })
      .toBuffer();
    const body = new FormData();
    body.append("image", new Blob([Uint8Array.from(image)]), "banner.jpg");
    return (await ann.send("POST", `/servers/${server.id}/banner`, { body })).expect(200, Server).banner_url ?? "";
  };
  const sizeOf = async (address: string) => {
    const answer = await fetch(`${stack.edgeUrl}${address}`);
    const { width, height, format } = await sharp(Buffer.from(await answer.arrayBuffer())).metadata();
    return [width, height, format];
  };
  const large = await upload(2_000, 2_000, 1);
  expect(await sizeOf(large)).toEqual([960, 540, "webp"]);
  expect(await sizeOf(`${large}?size=128`)).toEqual([240, 135, "webp"]);
  // Turned by a quarter it is 400 wide.
  const small = await upload(300, 400, 6);
  expect(await sizeOf(small)).toEqual([400, 225, "webp"]);
  await expect.poll(async () => (await fetch(`${stack.edgeUrl}${large}`)).status).toBe(404);
  expect((await ann.delete(`/servers/${server.id}/banner`)).status).toBe(204);
  expect((await ann.get(`/servers/${server.id}`)).expect(200, Server.strict()).banner_url).toBe(undefined);
});

test("a search finds words and beginnings of words in name, description and tags, a tag, and a language with its variants", async () => {
  const word = `w${crypto.randomUUID().slice(0, 8)}`;
  const first = await publicServer(`${word} Straßenschach`, face);
  await publicServer(`${word} node.js`, { description: "We're here, café included", language: "en" });
  const hidden = await createServer(ann, { name: `${word} hidden` });
  const q = async (text: string) =>
    (await names(`q=${encodeURIComponent(`${word} ${text}`)}`)).map((name) => name.slice(10));
  expect(await q("STRASSEN")).toEqual(["Straßenschach"]);
  expect(await q("endg open")).toEqual(["Straßenschach"]);
  expect(await q("board-g")).toEqual(["Straßenschach"]);
  expect(await q("js")).toEqual(["node.js"]);
  expect(await q("cafe")).toEqual(["node.js"]);
  expect(await q("'!| &")).toHaveLength(2);
  expect(await q("ndgames")).toEqual([]);
  expect(await names("q=!!!")).toEqual([]);
  expect(await names(`q=${word}&tag=chess`)).toEqual([first.name]);
  expect(await names(`q=${word}&language=de`)).toEqual([first.name]);
  expect(await names(`q=${word}&language=de-CH`)).toEqual([]);
  const [found] = (await find(`q=${word}&tag=chess`)).servers;
  expect(found).toEqual({ ...first, ...face, banner_url: null, online_count: expect.any(Number) });
  // The list without parameters is as it was.
  const list = (await ann.get("/servers/browse")).expect(200, z.array(Server));
  expect(list.find(({ id }) => id === first.id)).toEqual(expect.not.objectContaining({ tags: face.tags }));
  expect(list.map(({ id }) => id)).not.toContain(hidden.id);
});

test("pages follow each other in every order, and all apis hide and feature what administrators say", async () => {
  const word = `p${crypto.randomUUID().slice(0, 8)}`;
  const [one, two, three] = [
    await publicServer(`${word} 1`),
    await publicServer(`${word} 2`),
    await publicServer(`${word} 3`),
  ];
  const bob = await client.register();
  await joinServer(bob, one.id);
  const socket = connectGateway(stack.gateways[0]?.url ?? "", bob.accessToken);
  await socket.ready;
  const apis = stack.apis.map(({ url }) => createClient(url).withAuthorization(`Bearer ${ann.accessToken}`));
  const pages = async (sort: string) => {
    const seen: string[] = [];
    let next: string | null = "";
    while (next !== null) {
      const page: FoundServers = await find(`q=${word}&sort=${sort}&limit=1${next === "" ? "" : `&after=${next}`}`);
      seen.push(...page.servers.map(({ id }) => id));
      next = page.next;
    }
    return seen;
  };
  expect(await pages("new")).toEqual([three.id, two.id, one.id]);
  expect(await pages("members")).toEqual([one.id, three.id, two.id]);
  // Each api remembers for some seconds how many members are connected; pages of both agree once their counts do.
  const most = async (by: RestClient) => {
    const [first] = (await find(`q=${word}&sort=active`, by)).servers;
    return first !== undefined && first.online_count > 0 ? first.id : null;
  };
  for (const api of apis) await expect.poll(() => most(api)).toBe(one.id);
  await expect.poll(() => pages("active")).toEqual([one.id, three.id, two.id]);
  socket.terminate();
  const decide = (id: string, body: object) => admin.patch(`/admin/servers/${id}`, body);
  expect((await decide(two.id, { featured: true })).body).toMatchObject({ id: two.id, featured: true });
  expect((await decide(one.id, { listed: false })).body).toMatchObject({ id: one.id, listed: false });
  for (const by of apis) {
    expect((await find(`q=${word}`, by)).servers.map(({ id }) => id)).toEqual([two.id, three.id]);
    const list = (await by.get("/servers/browse")).expect(200, z.array(Server));
    expect(list[0]?.id).toBe(two.id);
    expect(list.map(({ id }) => id)).not.toContain(one.id);
  }
  const [entry] = await readAdminLog(admin, "?limit=1");
  expect(entry).toMatchObject({ action: "server_update", target_id: one.id, details: { listed: false } });
  const wrong = await decide(one.id, { listed: "no" });
  expect([wrong.status, wrong.body]).toEqual([400, error("listed must be a boolean")]);
  expect((await decide(crypto.randomUUID(), { listed: true })).status).toBe(404);
  expect((await ann.patch(`/admin/servers/${one.id}`, { listed: true })).status).toBe(403);
});

test.each([
  ["limit=51", "Limit must be 1-50"],
  ["sort=best", "sort must be members, active or new"],
  ["after=nowhere", "Invalid after"],
  [`q=${"x".repeat(101)}`, "q must be at most 100 characters"],
])("a search with %s is refused", async (query, text) => {
  const answer = await ann.get(`/servers/browse?${query}`);
  expect([answer.status, answer.body]).toEqual([400, error(text)]);
});
