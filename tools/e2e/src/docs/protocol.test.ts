import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const docs = join(import.meta.dirname, "..", "..", "..", "..", "docs");
const topics = readdirSync(join(docs, "protocol")).filter((file) => file !== "README.md");
const read = (path: string) => readFileSync(join(docs, path), "utf8");

test("the page of the protocol lists every topic", () => {
  const links = [...read("protocol/README.md").matchAll(/^\| \[[^\]]+\]\(([\w-]+\.md)\) \|/gm)].map(([, file]) => file);
  expect(links.toSorted()).toEqual(topics.toSorted());
});

test("every section that had a number is found by it, in one place", () => {
  const sections = topics.flatMap((file) =>
    [...read(`protocol/${file}`).matchAll(/<a id="(\d[\d.]*)">/g)].map(([, number]) => `protocol/${file}#${number}`),
  );
  const rows = [
    ...read("interface.md").matchAll(/^\| <a id="([\d.]+)"><\/a>([\d.]+) \| \[[^\]]+\]\((\S+#([\d.]+))\) \|$/gm),
  ];
  expect(rows.length).toBeGreaterThan(140);
  expect(rows.filter(([, id, shown, , anchor]) => id !== shown || id !== anchor)).toEqual([]);
  expect(rows.map(([, , , place]) => place).toSorted()).toEqual(sections.toSorted());
});
