import { expect, test } from "vitest";
import { BackgroundQueue } from "../../load/background-queue.js";
import { parsedAtOnceBytes } from "./limits.js";
import { readMetadata } from "./read-metadata.js";

test("every piece of a large page is a turn in the queue of background work", async () => {
  const queue = new BackgroundQueue();
  const order: string[] = [];
  const read = async (name: string, size: number) => {
    const bytes = Buffer.from("<title>t</title>".padEnd(size));
    const { title } = await readMetadata({ url: new URL("http://a.example/"), contentType: "text/html", bytes }, queue);
    order.push(`${name} ${title}`);
  };
  const pages = [read("large", parsedAtOnceBytes * 2 + 1), read("small", 100)];
  const other = queue.run(() => order.push("other work"));
  await Promise.all([...pages, other]);
  expect(order).toEqual(["small t", "other work", "large t"]);
});
