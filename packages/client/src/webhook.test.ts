import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { verifyInteraction, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from "./webhook.js";

const secret = "5f".repeat(32);
const body = JSON.stringify({ event: "message.deleted", server_id: "s", data: { id: "m", channel_id: "ć" } });

function sign({ text = body, key = secret, secondsAgo = 0 } = {}): Record<string, string> {
  const timestamp = Math.floor(Date.now() / 1_000) - secondsAgo;
  const signature = createHmac("sha256", key).update(`id.${timestamp}.${text}`).digest("base64");
  return { "webhook-id": "id", "webhook-timestamp": String(timestamp), "webhook-signature": `v1,${signature}` };
}

const refused = async (headers: WebhookHeaders, text = body) =>
  expect(verifyWebhook({ secret, headers, body: text })).rejects.toBeInstanceOf(WebhookVerificationError);

test("a genuine delivery is its event, whatever form its headers and body have", async () => {
  const headers = sign();
  const forms: WebhookHeaders[] = [
    headers,
    new Headers(headers),
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]])),
    { ...headers, "webhook-signature": `v1a,AAAA v1,%% v1,AAAA ${headers["webhook-signature"]}` },
  ];
  for (const form of forms) {
    for (const bytes of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      expect(await verifyWebhook({ secret, headers: form, body: bytes })).toEqual(JSON.parse(body));
    }
  }
});

test("a delivery that is forged, changed, too old, or of the future is refused", async () => {
  await refused({});
  await refused(sign({ key: "0".repeat(64) }));
  await refused(sign(), body.replace("message.deleted", "message.created"));
  await refused({ ...sign(), "webhook-id": "other" });
  await refused({ ...sign(), "webhook-timestamp": String(Math.floor(Date.now() / 1_000) + 1) });
  await refused(sign({ secondsAgo: 400 }));
  await refused(sign({ secondsAgo: -400 }));
  const headers = sign({ secondsAgo: 400 });
  expect(await verifyWebhook({ secret, headers, body, toleranceSeconds: 500 })).toHaveProperty("data.id", "m");
});

test("a genuine request to a bot is its interaction, and a forged one is refused", async () => {
  const interaction = JSON.stringify({ id: "i", type: "command", data: { name: "play" } });
  const headers = sign({ text: interaction });
  expect(await verifyInteraction({ secret, headers, body: interaction })).toEqual(JSON.parse(interaction));
  const forged = verifyInteraction({ secret, headers, body: interaction.replace("play", "stop") });
  await expect(forged).rejects.toBeInstanceOf(WebhookVerificationError);
});
