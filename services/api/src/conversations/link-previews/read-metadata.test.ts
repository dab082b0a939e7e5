import { describe, expect, test } from "vitest";
import { BackgroundQueue } from "../../platform/load/background-queue.js";
import { parsedAtOnceBytes, readMetadata } from "./read-metadata.js";

const never = new AbortController().signal;

/** The processor time of this process: the work of others on a busy machine does not count. */
const processorMs = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

function read(text: string | Buffer, queue: BackgroundQueue, signal = never, now = processorMs) {
  const page = { url: new URL("http://a.example/"), contentType: "text/html", bytes: Buffer.from(text) };
  return readMetadata(page, { queue, signal, now });
}

/** A queue without rests that counts its pieces. */
class CountingQueue extends BackgroundQueue {
  pieces = 0;

  override async run<T>(piece: () => T | Promise<T>): Promise<T> {
    this.pieces += 1;
    return await piece();
  }
}

test("every piece of a large page is a turn in the queue of background work", async () => {
  const queue = new BackgroundQueue();
  const order: string[] = [];
  const readNamed = async (name: string, size: number) => {
    const { title } = await read("<title>t</title>".padEnd(size), queue);
    order.push(`${name} ${title}`);
  };
  const pages = [readNamed("large", parsedAtOnceBytes * 2 + 1), readNamed("small", 100)];
  const other = queue.run(() => order.push("other work"));
  await Promise.all([...pages, other]);
  expect(order).toEqual(["small t", "other work", "large t"]);
});

describe("of a page of one element nested 300,000 times", () => {
  const nested = "<b>".repeat(300_000);

  test.each([
    ["b", nested],
    ["div with an attribute", "<div a>".repeat(150_000)],
    ["head", "<head>".repeat(170_000)],
    ["svg", "<svg>".repeat(200_000)],
    ["form that is closed", "<form></i>".repeat(100_000)],
  ])(
    "%s nested 300,000 times: the head is read in less than the time that all pieces may take",
    async (_, elements) => {
      const queue = new CountingQueue();
      const { title, description } = await read(
        `<title>deep</title>${elements}<meta name=description content=end>`,
        queue,
      );
      expect({ title, description }).toEqual({ title: "deep", description: "end" });
    },
  );

  test("no further piece is parsed once the signal aborts", async () => {
    const abandoned = new AbortController();
    const queue = new BackgroundQueue();
    const reading = read(nested, queue, abandoned.signal);
    const others = [queue.run(() => abandoned.abort(new Error("left"))), queue.run(() => "other work")];
    await expect(reading).rejects.toThrow("left");
    expect(await others[1]).toBe("other work");
  });
});

test("the title and the metadata of a page are the same wherever it is cut into pieces", async () => {
  const page = `<title>A &amp; b</title><meta property="og:description" content='c &lt; d'><META name=og:site_name content=e />`;
  for (let before = 0; before <= page.length; before += 1) {
    const filling = "<!--".padEnd(parsedAtOnceBytes - before - 3, "x");
    expect(await read(`${filling}-->${page}`, new CountingQueue())).toEqual({
      title: "A & b",
      description: "c < d",
      image: null,
      site_name: "e",
    });
  }
});

test.each([
  ["a title without an end", `<title>${"t".repeat(1_000_000)}`],
  ["a text without an end", `<meta property=og:title content="${" t".repeat(500_000)}">`],
  ["a name of an attribute without an end", `<title>t</title><meta ${"x".repeat(1_000_000)}`],
  ["entities", `<title>t</title>${"&ampamp&#0000000000000000;".repeat(40_000)}`],
  ["a comment of dashes", `<title>t</title><!--${"--!".repeat(300_000)}`],
  ["beginnings of ends", `<title>t</title><script>${"</script".repeat(120_000)}`],
  ["attributes", `<title>t</title><meta ${"a=b ".repeat(250_000)}>`],
  ["names of metadata", `<title>t</title>${"<meta name=og:title2 content=a>".repeat(30_000)}`],
])("a page of %s has a title, and all pieces are read in the time that they may take", async (_, text) => {
  const [queue, unbounded] = [new CountingQueue(), new CountingQueue()];
  expect((await read(text, queue)).title).toMatch(/^t/);
  await read(text, unbounded, never, () => 0);
  expect(queue.pieces).toBe(unbounded.pieces);
});
