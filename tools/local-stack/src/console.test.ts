import { expect, test } from "vitest";
import { createConsole } from "./console.js";
import { waitingLinesMax } from "./limits.js";

test("the console holds the services' lines back until it follows, then writes them in order, each with its process", () => {
  const written: string[] = [];
  const console = createConsole((text) => written.push(text));
  const line = console.lineOf("api-1");
  line("one");
  console.say("Starting …");
  line("two");
  expect(written).toEqual(["Starting …\n"]);
  console.follow();
  line("three");
  expect(written.slice(1)).toEqual(["one", "two", "three"].map((text) => `${"api-1".padEnd(20)} | ${text}\n`));
});

test("the console holds back a bounded number of lines, the newest", () => {
  const written: string[] = [];
  const console = createConsole((text) => written.push(text));
  for (let count = 0; count <= waitingLinesMax; count += 1) console.lineOf("api-1")(String(count));
  console.follow();
  expect(written).toHaveLength(waitingLinesMax);
  expect(written.at(-1)).toContain(`| ${waitingLinesMax}\n`);
});
