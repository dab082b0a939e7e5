import { errorBody as error, User } from "@parley/contracts";
import {
  type Answer,
  connectGateway,
  createClient,
  type EquippedStack,
  type RestClient,
  readMail,
  sharedStack,
  type UserClient,
  waitUntil,
} from "@parley/testing";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";

let stack: EquippedStack;
let client: RestClient;
let sql: pg.Client;
beforeAll(async () => {
  stack = await sharedStack();
  client = createClient(stack.edgeUrl);
  sql = new pg.Client({ connectionString: stack.databaseUrl });
  await sql.connect();
});
afterAll(() => sql?.end());

const newAddress = () => `${crypto.randomUUID()}@example.com`;
const said = ({ status, body }: Answer) => [status, body];
const change = (by: UserClient, email: unknown, password: unknown = by.password) =>
  by.put("/users/@me/email", { email, password });
const addressOf = async (by: UserClient) => (await by.get("/users/@me")).expect(200, User).email;
/** The path of the link in the mail with a subject. */
async function linkTo(address: string, subject: string): Promise<string> {
  const mails = () => stack.mails.filter(({ to, source }) => to.includes(address) && source.includes(subject));
  await waitUntil(() => mails().length > 0, { what: `the mail "${subject}"` });
  const path = /\/mail\/email\/[0-9a-f]{64}/.exec(readMail(mails().at(-1)?.source ?? "").text)?.[0];
  if (path === undefined) throw new Error("The mail has no link");
  return path;
}
const confirmSubject = "Confirm your new address";
const revertSubject = "The address of your account changes";
const gone = [404, error("Invalid or expired link")];

test("another address counts once its link is used, once, and the former one is taken back by its own, at both apis", async () => {
  const [former, next] = [newAddress(), newAddress()];
  const ann = await client.register({ email: former });
  const sockets = stack.gateways.map(({ url }) => connectGateway(url, "", { query: `v=2&token=${ann.accessToken}` }));
  await Promise.all(sockets.map(({ ready }) => ready));
  expect((await change(ann, next)).expect(202, User).email).toBe(former);
  const [confirm, revert] = [await linkTo(next, confirmSubject), await linkTo(former, revertSubject)];
  // Programs that check mails open links as browsers do, and in no other way.
  const headers = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  expect((await client.send("GET", confirm, { headers })).status).toBe(200);
  expect((await client.send("HEAD", confirm)).status).toBe(200);
  expect(await addressOf(ann)).toBe(former);
  expect((await createClient(stack.apis[0]?.url ?? "").post(confirm)).status).toBe(200);
  for (const socket of sockets) await socket.waitFor("USER_UPDATE", ({ email }) => email === next);
  expect((await ann.get("/auth/email")).body).toEqual({ email: next, verified: true });
  expect(said(await client.post(confirm))).toEqual(gone);
  // Whoever wants no page opens the link by asking for it.
  expect((await createClient(stack.apis[1]?.url ?? "").get(revert)).status).toBe(200);
  for (const socket of sockets) await socket.waitFor("USER_UPDATE", ({ email }) => email === former);
  expect((await ann.get("/auth/email")).body).toEqual({ email: former, verified: false });
  expect(said(await client.post(revert))).toEqual(gone);
  for (const socket of sockets) socket.terminate();
});

test("of several links the newest counts, taking the former address back ends them, and links expire", async () => {
  const [former, first, second] = [newAddress(), newAddress(), newAddress()];
  const ann = await client.register({ email: former });
  expect((await change(ann, first)).status).toBe(202);
  const older = await linkTo(first, confirmSubject);
  expect((await change(ann, second)).status).toBe(202);
  const newer = await linkTo(second, confirmSubject);
  expect(said(await client.post(older))).toEqual(gone);
  expect((await client.post(await linkTo(former, revertSubject))).status).toBe(200);
  expect(said(await client.post(newer))).toEqual(gone);

  const late = newAddress();
  expect((await change(ann, late)).status).toBe(202);
  await sql.query("UPDATE email_changes SET expires_at = now() - interval '1 s' WHERE user_id = $1", [ann.user.id]);
  expect(said(await client.get(await linkTo(late, confirmSubject)))).toEqual(gone);
  expect(await addressOf(ann)).toBe(former);
});

test("an address is removed at once, and the former one can be taken back for it", async () => {
  const former = newAddress();
  const ann = await client.register({ email: former });
  expect((await change(ann, null)).expect(200, User).email).toBeNull();
  expect((await client.post(await linkTo(former, revertSubject))).status).toBe(200);
  expect(await addressOf(ann)).toBe(former);
  expect((await change(ann, former)).expect(200, User).email).toBe(former);
});

test("another address needs the password, is nobody else's then and later, and comes from the provider of single sign-on", async () => {
  const [ann, bob] = [await client.register({ email: newAddress() }), await client.register({ email: newAddress() })];
  expect(said(await change(ann, newAddress(), "wrong"))).toEqual([400, error("Wrong password")]);
  for (const email of ["no address", 7, undefined])
    expect(said(await change(ann, email))).toEqual([400, error("Invalid email address")]);
  const taken = [409, error("Email already registered")];
  expect(said(await change(ann, bob.user.email?.toUpperCase()))).toEqual(taken);
  const wanted = newAddress();
  expect((await change(ann, wanted)).status).toBe(202);
  await client.register({ email: wanted });
  expect(said(await client.post(await linkTo(wanted, confirmSubject)))).toEqual(taken);
  for (let more = 0; more < 2; more += 1) expect((await change(ann, newAddress())).status).toBe(202);
  expect((await change(ann, newAddress())).status).toBe(429);
  await sql.query(
    "INSERT INTO oidc_identities (issuer, subject, user_id, made_account) VALUES ('https://id.example', $1, $2, true)",
    [ann.user.id, ann.user.id],
  );
  expect(said(await change(ann, newAddress()))).toEqual([400, error("The address comes from your provider")]);
});
