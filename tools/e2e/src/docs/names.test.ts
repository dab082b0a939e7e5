import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const read = (file: string) => readFileSync(join(root, file), "utf8");
const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) => statSync(join(root, file), { throwIfNoEntry: false })?.isFile());
const documents = files.filter((file) => file.endsWith(".md") && !file.startsWith("docs/reference/"));

/** Texts in backticks, with their document; of blocks of code only the shell's lines. */
const named = documents.flatMap((file) => {
  const text = read(file);
  const commands = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block = ""]) => block.split("\n"));
  const inLine = [...text.replaceAll(/```[\s\S]*?```/g, "").matchAll(/`([^`\n]+)`/g)].map(([, name = ""]) => name);
  return [...inLine, ...commands].map((name) => ({ file, name: name.trim() }));
});
const missing = (names: readonly { file: string; name: string }[]) => names.map(({ file, name }) => `${file}: ${name}`);

const known = new Set(files);
const folders = new Set(
  files.flatMap((file) => file.split("/").map((_, index, parts) => parts.slice(0, index).join("/"))),
);
const endings = new Set(
  files.flatMap((file) => file.split("/").map((_, index, parts) => parts.slice(index).join("/"))),
);
/** Paths that a build or an operator makes, examples, and paths of other systems. */
const made =
  /^(?:dist|generated|node_modules|releases|backups|\.data)\/|(?:^|\/)(?:dist|generated)(?:\/|$)|^deploy\/monitoring\/textfile\//;
const elsewhere = new Set(
  `community.mjs bot.mjs values.yaml your-values.yaml server.json channels.json members.json roles.json index.html main.js sw.js
  setup.mjs ask.mjs parley.pub openapi.yaml asyncapi.yaml docker-compose.override.yml trusted-proxies.conf refused.conf
  nginx/trusted-proxies.conf nginx/refused.conf x.page.test.tsx x.touch.page.test.tsx`.split(/\s+/),
);

/** Documents with the names of Discord's API. */
const isOfDiscord = (file: string) => /^docs\/(?:discord|guides\/.*discord.*)\.md$/.test(file);

test("every file and folder that a document names is there", () => {
  const top = /^(?:docs|deploy|packages|prisma|services|tools|\.github)\/[\w./@-]*$/;
  const plain = /^[\w.-][\w./-]*\w\.(?:ts|tsx|mjs|md|sh|yml|yaml|conf|lua|sql|tsv|prisma)$/;
  const paths = named.filter(({ name }) => (top.test(name) || plain.test(name)) && !made.test(name));
  expect(paths.length).toBeGreaterThan(300);
  const isThere = ({ file, name }: { file: string; name: string }) => {
    const path = name.replace(/\/$/, "");
    const beside = normalize(join(dirname(file), path));
    return [path, beside].some((one) => known.has(one) || folders.has(one)) || endings.has(path) || elsewhere.has(path);
  };
  expect(missing(paths.filter((one) => !isThere(one)))).toEqual([]);
});

test("every command of the repository that a document names is there", () => {
  const { scripts } = z.object({ scripts: z.record(z.string(), z.string()) }).parse(JSON.parse(read("package.json")));
  const operations = read("deploy/parley");
  const isThere = (command: string) => {
    const [, script] = /^(?:\w+=\S+ )*npm run ([\w:]+)/.exec(command) ?? [];
    if (script !== undefined) return script in scripts || command.includes("--prefix");
    const [, operation] = /^(?:sudo )?(?:\.\/)?deploy\/parley ([a-z][\w-]*)/.exec(command) ?? [];
    if (operation !== undefined) return new RegExp(`\\b${operation}\\b`).test(operations);
    const [, project] = /vitest run --project (\w+)/.exec(command) ?? [];
    return project === undefined || ["unit", "api", "stacks", "page", "journeys", "docs"].includes(project);
  };
  const commands = named.filter(({ name }) => /npm run |deploy\/parley |vitest run --project/.test(name));
  expect(commands.length).toBeGreaterThan(40);
  expect(missing(commands.filter(({ name }) => !isThere(name)))).toEqual([]);
});

test("every setting, event and other name in capitals that a document has occurs in the code", () => {
  const words = new Set(
    files
      .filter((file) => !/\.(?:md|png|lock|woff2?)$/.test(file) && file !== "pnpm-lock.yaml")
      .flatMap((file) => read(file).match(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g) ?? []),
  );
  // Discord's own names, and the form of pairs of events.
  const own = named.filter(({ file, name }) => !isOfDiscord(file) && name !== "DM_X");
  const names = own.flatMap(({ file, name }) => {
    const [, word] = /^([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?:=.*)?$/.exec(name) ?? [];
    return word === undefined ? [] : [{ file, name: word }];
  });
  expect(names.length).toBeGreaterThan(150);
  expect(missing(names.filter(({ name }) => !words.has(name)))).toEqual([]);
});

test("every endpoint that a document names is described", () => {
  const { paths } = z
    .object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
    .parse(JSON.parse(read("packages/api-description/generated/openapi.json")));
  const form = (path: string) => path.replaceAll(/[:][\w@]+|\{\w+\}|<[^>]+>|…/g, "{}").replace(/\/$/, "");
  const described = new Set(
    Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${form(path)}`),
    ),
  );
  const any = [...described].map((operation) => operation.replace(/^\w+ /, ""));
  // Paths of Discord's own API, the gateway, pages, and those that every process serves beside requests.
  const others =
    /^\/(?:ws|app|docs|metrics|discord|gateway|guilds|applications|oauth2|webhooks|channels\/\{\}\/(?:typing|webhooks|permissions)|users\/@me\/(?:guilds|channels))(?:[/?]|$)/;
  const endpoints = named
    .filter(({ file }) => !isOfDiscord(file))
    .flatMap(({ file, name }) => {
      const [, methods = "", path = ""] =
        /^((?:GET|HEAD|POST|PUT|PATCH|DELETE)(?:(?:, |\/)(?:GET|HEAD|POST|PUT|PATCH|DELETE))*) (?:\/api)?(\/(?:<[^>]+>|[^\s?"{<])*)/.exec(
          name,
        ) ?? [];
      return methods === "" ? [] : methods.split(/, |\//).map((method) => ({ file, name: `${method} ${form(path)}` }));
    });
  expect(endpoints.length).toBeGreaterThan(30);
  const isThere = (name: string) => {
    const [method = "", path = ""] = name.split(" ");
    return (
      described.has(name) ||
      others.test(path) ||
      path === "" ||
      (method === "HEAD" && any.includes(path)) ||
      path.endsWith("*")
    );
  };
  expect(missing(endpoints.filter(({ name }) => !isThere(name)))).toEqual([]);
});
