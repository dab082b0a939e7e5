import { expect, test } from "vitest";
import { AttemptTimeoutError } from "../attempts/http-client.js";
import { deliver } from "./deliver.js";

const id = "0190a5b4-7c1d-7e3a-9f00-1b2c3d4e5f60";
const attempt = {
  webhookId: id,
  ownerId: id,
  url: "https://example.com",
  secret: "s",
  deliveryId: id,
  number: 1,
  body: Buffer.of(),
};

test("an attempt has ten seconds, and says so when they have passed", async () => {
  const times: number[] = [];
  const outcome = await deliver(
    {
      post: ({ timeoutMs }) => {
        times.push(timeoutMs);
        return Promise.reject(new AttemptTimeoutError());
      },
    },
    attempt,
  );
  expect(times).toEqual([10_000]);
  expect(outcome).toMatchObject({ ok: false, responseStatus: null, error: "No answer within 10 seconds" });
});
