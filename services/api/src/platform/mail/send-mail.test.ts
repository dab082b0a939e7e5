import { createLogger } from "@parley/service-runtime";
import { readMail, startSmtp, type TestSmtp, waitUntil } from "@parley/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createMailer, type MailFace } from "./send-mail.js";

const logger = createLogger({ service: "api", level: "silent", nodeId: "test" });
let smtp: TestSmtp;
beforeAll(async () => {
  smtp = await startSmtp();
});
afterAll(() => smtp.stop());

const written = { text: "Hello\n", html: "<html><body>\n<p>Hello</p>\n</body></html>" };

/** The mail as it comes, from an installation with a face. */
async function received(to: string, readFace: () => Promise<MailFace>) {
  const config = { SMTP_URL: smtp.url, MAIL_FROM: "Parley <parley@localhost>" };
  const mailer = createMailer({ config, logger, readFace });
  if (mailer === null) throw new Error("The mail server has an address");
  await mailer.sendNow({ to, language: "en", subject: "Hello", ...written });
  await mailer.close();
  const mail = await waitUntil(() => smtp.mails.find((each) => each.to.includes(to)));
  return readMail(mail.source);
}

const logo = { url: "https://chat.example.com/media/abc?x=1&y=2", alt: 'Chess & "Friends"' };
const image =
  '<img src="https://chat.example.com/media/abc?x=1&amp;y=2" alt="Chess &amp; &quot;Friends&quot;" height="48">';
const name = 'Chess & "Friends"';

test.each<[string, MailFace, text: string, html: string]>([
  ["name-and-logo", { name, logo }, `\n-- \n${name}`, `<p>${image}<br>\nChess &amp; &quot;Friends&quot;</p>\n</body>`],
  ["name", { name, logo: null }, `\n-- \n${name}`, "<p>Chess &amp; &quot;Friends&quot;</p>\n</body>"],
  ["logo", { name: null, logo }, "Hello", `<p>${image}</p>\n</body>`],
  ["neither", { name: null, logo: null }, "Hello", "<p>Hello</p>\n</body>"],
])("a mail shows what the installation has: %s", async (case_, face, text, html) => {
  const mail = await received(`${case_}@example.com`, async () => face);
  expect(mail.text.trimEnd().endsWith(text)).toBe(true);
  expect(mail.text).not.toContain("https://chat.example.com");
  expect(mail.html).toContain(html);
});

test("a mail goes without them where they cannot be read", async () => {
  const mail = await received("unread@example.com", () => Promise.reject(new Error("the database is away")));
  expect(mail.html.trim()).toBe(written.html);
});
