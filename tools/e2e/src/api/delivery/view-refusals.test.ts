import { connectGateway, createClient, sharedStack } from "@parley/testing";
import { expect, test } from "vitest";

test("view without v=2, or with anything but on and channels, is refused", async () => {
  const stack = await sharedStack();
  const owner = await createClient(stack.edgeUrl).register();
  for (const query of [
    "view=on",
    "v=1&view=on",
    "v=2&view=",
    "v=2&view=off",
    `v=2&view=${Array.from({ length: 21 }, () => crypto.randomUUID()).join(",")}`,
  ]) {
    const { rejected } = connectGateway(stack.gateways[1]?.url ?? "", "", {
      query: `token=${encodeURIComponent(owner.accessToken)}&${query}`,
    });
    const { status, body } = await rejected;
    expect([query, status, JSON.parse(body).error]).toEqual([query, 400, "Invalid view"]);
  }
});
