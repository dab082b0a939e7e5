import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ownStackCall } from "../../../testing/src/stack-files.js";

const root = join(import.meta.dirname, "..", "..", "..", "..");
const listed = ["ls-files", "--cached", "--others", "--exclude-standard", "packages", "services", "tools"];
/** All tests, their stages and fixtures, and the package of the tests. */
const files = execFileSync("git", listed, { cwd: root, encoding: "utf8" })
  .split("\n")
  .filter((file) =>
    /\.test\.tsx?$|^tools\/(e2e|testing)\/src\/.*\.ts$|\/page-stage\/|-(stage|fixture)\.tsx?$/.test(file),
  )
  .filter((file) => !file.endsWith("/test-rules.test.ts") && existsSync(join(root, file)));

interface Rule {
  readonly name: string;
  /** A pattern of code that breaks the rule, in a source without comments. */
  readonly pattern: RegExp;
  readonly breaks: readonly string[];
  readonly keeps: readonly string[];
  /** Whether it is one for a file; for all otherwise. */
  readonly holdsFor?: (file: string) => boolean;
  /** How often a file may break it. The lists only shrink. */
  readonly exceptions?: Readonly<Record<string, number>>;
}

const reads = [
  ...["count", "isVisible", "isHidden", "isChecked", "isEnabled", "isDisabled", "isEditable", "textContent"],
  ...["allTextContents", "innerText", "allInnerTexts", "innerHTML", "inputValue", "getAttribute", "boundingBox"],
];
const elapsed = "performance\\.now\\(\\)|Date\\.now\\(\\)|\\w*(took|elapsed|duration|rejection)_?[mM]s\\b|\\btimes\\b";

const rules: readonly Rule[] = [
  {
    name: "no test looks once at a page of the stack: what is on its way is polled",
    pattern: new RegExp(`(?<!\\.poll\\()expect\\(\\s*\\(*await\\s[^;]*?\\.(${reads.join("|")})\\(`, "g"),
    breaks: [
      "expect(await link.count()).toBe(0)",
      'expect(\n  await row.getByRole("link").getAttribute("href"),\n).toBe("")',
    ],
    keeps: ["await expect.poll(() => link.count()).toBe(0)", "expect(await listOf(user)).toEqual([])"],
    holdsFor: (file) => file.startsWith("tools/e2e/src/web/"),
  },
  {
    name: "no page test looks once at its page",
    pattern: /expect\(\s*(?!\()[^;=]*?\.(query|element|elements|all)\(\)[^;=]*?\)\.(?!rejects)/g,
    breaks: ["expect(link().elements()).toEqual([])", "expect(field.element().textContent).toBe(name)"],
    keeps: ["await expect.poll(() => link().elements()).toEqual([])", "await expect.element(link()).toBeVisible()"],
    holdsFor: (file) => file.endsWith(".page.test.tsx"),
    // Where the element is known to stand still.
    exceptions: {
      "packages/web/src/screens/conversation/screen/looks.page.test.tsx": 1,
      "packages/web/src/texts/languages.page.test.tsx": 1,
    },
  },
  {
    name: "no test but a long one has an upper bound of elapsed time",
    pattern: new RegExp(
      `expect\\((?!Math\\.abs)(?:(?!;|\\.toBe|\\.not\\.).)*?(${elapsed})[^;]*?\\.(toBeLess|not\\.toBeGreater)`,
      "gs",
    ),
    breaks: [
      "expect(performance.now() - startedAt).toBeLessThan(500)",
      "expect(entry.duration_ms).toBeLessThanOrEqual(3)",
    ],
    keeps: ["expect(tookMs).toBeGreaterThan(2_500)", "expect(leastMs(64) / leastMs(1)).toBeLessThan(1_000)"],
    holdsFor: (file) => !file.endsWith(".long.test.ts"),
  },
  {
    name: "no test has a limit of its own below those of all: waits have 45 s, tests and hooks three minutes",
    pattern:
      /\btimeout: ?(?:[1-9]\d?_000|1[0-7]\d_000)\b|^[ \t]*\}, (?:[1-9]\d|1[0-7]\d)_000\);$|^[ \t]+(?:[1-9]\d|1[0-7]\d)_000,\n[ \t]*\);$/gm,
    breaks: ['test("it works", { timeout: 60_000 }, run)', "}, 90_000);", "  30_000,\n);"],
    keeps: ["}, 5_000);", "{ timeout: 300_000 }", "timeoutMs: 60_000"],
    holdsFor: (file) => /\.test\.tsx?$/.test(file),
    exceptions: {
      // Programs that end by themselves, or hang.
      "tools/e2e/src/api/readme.test.ts": 1,
      "tools/e2e/src/client/package.test.ts": 1,
      "tools/e2e/src/deploy/bad-settings.test.ts": 1,
      // As long as every wait.
      "packages/web/src/screens/conversation/panels/members-in-sight.page.test.tsx": 1,
    },
  },
  {
    name: "no test sleeps: it waits for a condition",
    pattern:
      /setTimeout(?: as \w+)? \} from "(?:node:)?timers\/promises"|waitForTimeout\(|new Promise(?:<\w+>)?\(\(?(\w+)\)? => (?:void )?setTimeout\((?:\1|\(\) => \1)/g,
    breaks: [
      'import { setTimeout as pause } from "node:timers/promises"',
      "new Promise((done) => setTimeout(done, 50))",
    ],
    keeps: ['import { setImmediate as turn } from "node:timers/promises"', "setTimeout(() => response.end(), 20)"],
    exceptions: {
      // The tested thing takes its time: a check, a job, an answer, a piece of work, a slow reader.
      "packages/service-runtime/src/health.test.ts": 1,
      "packages/service-runtime/src/lifecycle.test.ts": 1,
      "services/api/src/platform/load/background-queue.test.ts": 1,
      "services/api/src/desk/exports/send-zip.test.ts": 1,
      "tools/local-stack/src/edge/edge-limits.test.ts": 1,
      "tools/e2e/src/client/consume.long.test.ts": 1,
      "tools/e2e/src/api/apps/interaction-kills.long.test.ts": 1,
      // The pace of a load, and the pause between two looks.
      "services/gateway/src/continuing/model-clients-fixture.ts": 1,
      "tools/e2e/src/api/rules/automod-late.long.test.ts": 1,
      "tools/e2e/src/api/people/hostile-pictures.long.test.ts": 1,
      "tools/e2e/src/api/delivery/changes-model/model-client.ts": 1,
      "tools/e2e/src/deploy/rolling-traffic.ts": 1,
      "tools/testing/src/wait-until.ts": 1,
      // A turn of the page's own event loop.
      "tools/e2e/src/client/browser.test.ts": 1,
    },
  },
  {
    name: "no test kills by the clock: something that is held says when",
    pattern: /(?:setTimeout\([^;]*?|await pause\([^;]*;\s*(?:await )?[\w.?[\]()]*)\.(?:kill|pause|stop)\(/g,
    breaks: ["setTimeout(() => void nats.kill(), 50)", "await pause(100);\n  await stack.apis[0]?.kill();"],
    keeps: ["await receiver.waitFor(20);\n  await dispatcher?.kill();"],
  },
  {
    name: "no test is tried again",
    pattern: /\bretry: ?(?:[1-9]|\{)/g,
    breaks: ['test("it works", { retry: 2 }, run)', "retry: { count: 1 }"],
    keeps: ["message.retry()"],
  },
];

const withoutComments = (source: string) => source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
const sources = files.map((file) => ({ file, source: withoutComments(readFileSync(join(root, file), "utf8")) }));
const found = (source: string, { pattern }: Rule) => [...source.matchAll(pattern)].map(([text]) => text.slice(0, 200));

describe.each(rules.map((rule) => [rule.name, rule] as const))("%s", (_, rule) => {
  test("the rule knows what breaks it", () => {
    for (const text of rule.breaks) expect(found(text, rule), text).toHaveLength(1);
    for (const text of rule.keeps) expect(found(text, rule), text).toEqual([]);
  });

  test("every test keeps it", () => {
    const { exceptions = {}, holdsFor = () => true } = rule;
    const broken = sources
      .filter(({ file }) => holdsFor(file))
      .map(({ file, source }) => ({ file, found: found(source, rule) }))
      .filter(({ file, found }) => found.length > (exceptions[file] ?? 0));
    expect(broken).toEqual([]);
  });

  test("every exception is a file that breaks it so often", () => {
    const times = Object.keys(rule.exceptions ?? {}).map((file) => {
      const source = sources.find((each) => each.file === file)?.source ?? "";
      return [file, found(source, rule).length];
    });
    expect(Object.fromEntries(times)).toEqual(rule.exceptions ?? {});
  });
});

test("the rules read the tests of every part", () => {
  for (const part of ["packages/", "services/", "tools/bench/", "tools/e2e/", "tools/local-stack/", "tools/testing/"]) {
    expect(files.filter((file) => file.startsWith(part) && file.includes(".test.")).length, part).toBeGreaterThan(2);
  }
});

/** The lines of a source that start a stack without a comment directly above them, which says why it is not a shared one. */
function unexplainedStacks(source: string): string[] {
  const lines = source.split("\n");
  return lines.filter(
    (line, at) =>
      ownStackCall.test(line) && !/^\s*(?:\/\/|\*\/|\/\*\*.*\*\/$)/.test(lines[at - 1] ?? "") && !/^\s*\/\//.test(line),
  );
}

test("a stack of a test's own has its reason beside it", () => {
  expect(unexplainedStacks("stack = await startStack({ apis: 2 });")).toHaveLength(1);
  expect(unexplainedStacks("// Its own: it is killed.\nstack = await startStack({ apis: 2 });")).toEqual([]);
  const unexplained = files
    .filter((file) => file.startsWith("tools/e2e/") && file.includes(".test."))
    .map((file) => ({ file, found: unexplainedStacks(readFileSync(join(root, file), "utf8")) }))
    .filter(({ found }) => found.length > 0);
  expect(unexplained).toEqual([]);
});
