// Runs in an api of a rehearsal (rehearsal.sh), which gives it lines of JSON: people and where they wrote last, then the log of
// the edge. Reads in their name what was read in the last minute and what they wrote last, and writes a message. Prints what
// differs; ends with 1 where a request failed or the message did not come.
import { createHmac, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";

const [, origin = "http://edge:8080"] = process.argv;
const atOnce = 8;
const requestsMax = 5_000;
const timeoutMs = 20_000;
const { JWT_SECRET, JWT_SECRET_FILE } = process.env;
// As the services read their settings (deploy/install.md, Secrets as files).
const secret = (JWT_SECRET || `file(${JWT_SECRET_FILE})`).replace(/file\((\/[^)]*)\)/g, (_, path) =>
  readFileSync(path, "utf8").replace(/\r?\n$/, ""),
);

const lines = readFileSync(0, "utf8").split("\n").flatMap(parse);
const people = lines.filter(({ user }) => user !== undefined);
// Paths with a secret that the log leaves out, and what every version has of its own.
const isRepeatable = ({ method, path, status }) =>
  method === "GET" && status < 300 && !/\/-|\/ws\/?$|\/files\/|^\/app|\/health\//.test(path);
const logged = lines.filter(isRepeatable).slice(-requestsMax);
const own = people
  .slice(0, 50)
  .flatMap((person) =>
    ["/users/@me", "/servers", `/channels/${person.channel}/messages`].map((path) => ({ path, person })),
  );
if (people.length === 0) {
  process.stdout.write("requests: none, since nobody has written a message\n");
  process.exit();
}

const results = [];
const waiting = [...logged.map((request) => ({ ...request, person: personFor(request.path) })), ...own];
await Promise.all(
  Array.from({ length: atOnce }, async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) results.push(await repeat(next));
  }),
);
const failed = results.filter(({ status }) => status >= 500);
// The log has neither who asked nor for which page.
const refused = results.filter(({ status }) => status >= 400 && status < 500);
const before = logged.map(({ seconds }) => Number(seconds));
process.stdout.write(
  `requests: ${logged.length} of the last minute and ${own.length} more, ${results.length - failed.length - refused.length} answered, ` +
    `${refused.length} refused${kindsOf(refused)}, ${failed.length} failed${kindsOf(failed)}; ` +
    `half within ${quantile(results, 0.5)}, 99 of 100 within ${quantile(results, 0.99)}` +
    `${before.length === 0 ? "" : `, before ${quantile(before, 0.5)} and ${quantile(before, 0.99)}`}\n`,
);
const written = await write(people[0]).catch((error) => error);
process.stdout.write(
  written instanceof Error
    ? `a message: ${written.message}\n`
    : `a message was written, received after ${written} ms, edited and deleted\n`,
);
process.exit(failed.length > 0 || written instanceof Error ? 1 : 0);

function parse(line) {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? [value] : [];
  } catch {
    return [];
  }
}

/** Whoever wrote last in the channel or the server of a path. */
function personFor(path) {
  return people.find(({ channel, server }) => path.includes(channel) || path.includes(server)) ?? people[0];
}

async function repeat({ path, person }) {
  const startedAt = performance.now();
  const status = await fetch(`${origin}${path}`, {
    headers: { authorization: `Bearer ${tokenOf(person)}` },
    signal: AbortSignal.timeout(timeoutMs),
  }).then(
    async (answer) => {
      await answer.arrayBuffer();
      return answer.status;
    },
    () => 599,
  );
  return { path, status, seconds: (performance.now() - startedAt) / 1_000 };
}

/** Writes, edits and deletes a message; returns the milliseconds until it came at /ws. */
async function write(person) {
  const token = tokenOf(person);
  const socket = new WebSocket(`${origin.replace("http", "ws")}/ws?token=${encodeURIComponent(token)}`);
  const content = `rehearsal ${randomUUID()}`;
  let came;
  let ready;
  const refused = new Promise((_, reject) => {
    socket.addEventListener("error", () => reject(new Error("/ws refused the connection")));
  });
  const isReady = within(Promise.race([new Promise((resolve) => (ready = resolve)), refused]), "no READY came at /ws");
  const hasCome = within(new Promise((resolve) => (came = resolve)), "it did not come at /ws");
  for (const promise of [isReady, hasCome, refused]) promise.catch(() => undefined);
  socket.addEventListener("message", ({ data }) => {
    const { t, d } = JSON.parse(data);
    if (t === "READY") ready();
    if (t === "MESSAGE_CREATE" && d.content === content) came(performance.now());
  });
  await isReady;
  const messages = `${origin}/channels/${person.channel}/messages`;
  const ask = async (method, url, expected, text) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const body = text === undefined ? {} : { body: JSON.stringify({ content: text }) };
    const answer = await fetch(url, { method, headers, ...body, signal: AbortSignal.timeout(timeoutMs) });
    if (answer.status !== expected) throw new Error(`${method} was answered with ${answer.status}`);
    return expected === 204 ? null : answer.json();
  };
  const startedAt = performance.now();
  const { id } = await ask("POST", messages, 201, content);
  const cameAt = await hasCome;
  await ask("PATCH", `${messages}/${id}`, 200, `${content}, edited`);
  await ask("DELETE", `${messages}/${id}`, 204);
  socket.close();
  return Math.round(cameAt - startedAt);
}

function within(promise, what) {
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error(what)), timeoutMs));
  return Promise.race([promise, late]);
}

/** An access token of the copy, as the api makes them. */
function tokenOf({ user, session }) {
  const now = Math.floor(Date.now() / 1_000);
  const claims = { sid: randomUUID(), ver: session, iat: now, exp: now + 900, jti: randomUUID(), sub: user };
  const encode = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const text = `${encode({ alg: "HS256", typ: "JWT" })}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}

/** The three most frequent kinds of requests, without ids. */
function kindsOf(found) {
  const counts = new Map();
  for (const { path, status } of found) {
    const kind = `${path.replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, ":id")} ${status}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const most = [...counts].toSorted(([, one], [, other]) => other - one).slice(0, 3);
  return most.length === 0 ? "" : ` (${most.map(([kind, count]) => `${kind} ×${count}`).join(", ")})`;
}

function quantile(found, share) {
  const sorted = found.map((entry) => (typeof entry === "number" ? entry : entry.seconds)).toSorted((a, b) => a - b);
  return `${Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 1_000)} ms`;
}
