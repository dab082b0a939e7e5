import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => file !== "" && file !== "pnpm-lock.yaml")
  // Neither one that is deleted nor a link to a folder.
  .filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile());
const read = (file: string) => readFileSync(join(root, file), "utf8");

/** `<a id="…">`, which GitHub and every other renderer keeps, and the anchors that renderers make of headings. */
function anchorsOf(document: string): Set<string> {
  const text = read(document);
  const explicit = [...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id ?? "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-"),
  );
  return new Set([...explicit, ...headings]);
}

test("every document and section that the code cites exists", () => {
  const anchors = new Map<string, Set<string>>();
  const anchorsIn = (document: string) => {
    const known = anchors.get(document) ?? anchorsOf(document);
    anchors.set(document, known);
    return known;
  };
  const citations = files.flatMap((file) =>
    [...read(file).matchAll(/(?<![\w./-])(docs\/[\w/-]+\.md)(?:#([\w.-]*\w))?/g)].map(
      ([citation, document = "", anchor]) => ({ file, citation, document, anchor }),
    ),
  );
  expect(citations.length).toBeGreaterThan(200);
  expect(
    citations.filter(
      ({ document, anchor }) =>
        !existsSync(join(root, document)) || (anchor !== undefined && !anchorsIn(document).has(anchor)),
    ),
  ).toEqual([]);
});

test("no file cites a document that the repository does not have", () => {
  const strangers = /\b(?:contract|design|style|specification)\.md\b|\bcontract \d/;
  const own = "tools/e2e/src/docs/references.test.ts";
  expect(files.filter((file) => file !== own && strangers.test(read(file)))).toEqual([]);
});

test("every link of a Markdown file leads somewhere", () => {
  const broken = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      [...read(file).matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].flatMap(([link, path = "", anchor]) => {
        const target = path === "" ? file : join(dirname(file), path);
        if (!existsSync(join(root, target))) return [`${file}: ${link}`];
        if (anchor === undefined || !target.endsWith(".md") || anchorsOf(target).has(anchor)) return [];
        return [`${file}: ${link}`];
      }),
    );
  expect(broken).toEqual([]);
});
