import {
  createClient,
  createGate,
  createMailReaders,
  createServerWithMembers,
  joinServer,
  type MailReaders,
  postMessage,
  startSmtp,
  startStack,
  type TestSmtp,
  type TestStack,
  waitUntil,
} from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";

let smtp: TestSmtp;
let stack: TestStack;
let readers: MailReaders;
/** Called by the mail server before it takes a mail. */
let accept: (source: string) => Promise<void> = async () => undefined;
beforeAll(async () => {
  smtp = await startSmtp({ accept: ({ source }) => accept(source) });
  const env = { SMTP_URL: smtp.url, PUBLIC_URL: "https://chat.example.com" };
  // Its own: the jobs of mails have real periods there.
  stack = await startStack({ apis: 2, gateways: 1, env });
  readers = createMailReaders({ client: createClient(stack.edgeUrl), databaseUrl: stack.databaseUrl, smtp });
});
afterAll(async () => {
  await readers?.stop();
  await stack?.stop();
  await smtp?.stop();
});

test("a mention is examined when it is half a minute old, mailed when it was missed for a quarter of an hour, and once although all apis die while they send", async () => {
  const { server, channel, owner } = await createServerWithMembers(createClient(stack.edgeUrl), 0);
  const reader = await readers.register();
  await joinServer(reader, server.id);
  await postMessage(owner, channel.id, `@${reader.username} hello`);
  await readers.collected({ timeoutMs: 120_000 });
  const [row] = await readers.sql(
    `SELECT extract(epoch FROM n.mail_due_at - m.created_at)::float8 AS due_after,
      now() - m.created_at >= interval '30 seconds' AS is_old
     FROM notification_settings n JOIN missed_messages m ON m.user_id = n.user_id WHERE n.user_id = $1`,
    [reader.user.id],
  );
  expect(row).toEqual({ due_after: 900, is_old: true });

  const gate = createGate();
  const sources: string[] = [];
  accept = async (source) => {
    if (sources.push(source) === 1) await gate.opened;
  };
  await readers.makeDue([reader]);
  await waitUntil(() => sources.length === 1, { what: "the mail to be sent" });
  await Promise.all(stack.apis.map((api) => api.kill()));
  gate.open();
  await stack.startApi();
  const leases =
    "UPDATE notification_settings SET mail_leased_until = now() WHERE user_id = $1 RETURNING mail_attempts";
  expect(await readers.sql(leases, [reader.user.id])).toEqual([{ mail_attempts: 1 }]);
  await readers.settled([reader]);
  const ids = sources.map((source) => /^Message-ID: (<\S+@chat\.example\.com>)/im.exec(source)?.[1]);
  expect(ids).toEqual([expect.any(String), ids[0]]);
}, 240_000);
