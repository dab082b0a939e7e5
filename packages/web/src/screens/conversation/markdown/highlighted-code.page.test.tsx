import { expect, test } from "vitest";
import { messageWith } from "../../../page-stage/conversation.js";
import { findingsInBothSchemes } from "../../../page-stage/findings.js";
import { channelPath, community, message, user } from "../../../page-stage/fixtures.js";
import { shown } from "../../../page-stage/seeing.js";
import { visit } from "../../../page-stage/stage.js";
import { world } from "../../../page-stage/world.js";

test("code is shown in the colours of its language, and stays what it is", async () => {
  const [ada, ben] = [user("ada"), user("ben")];
  const club = community([ada, ben]);
  const [general] = club.channels;
  const code = 'const board = "<img src=x onerror=alert(1)>"; // e4';
  const more = "function move(n: number) { return n + 1; }";
  club.messages[general.id] = [
    message(general, ben, `Plain\n\`\`\`klingon\n${code}\n\`\`\``),
    message(general, ben, `Coloured\n\`\`\`ts\n${code}\n${more}\n\`\`\``),
  ];
  await visit(world(ada, [club]), { path: channelPath(general) });
  const block = (text: string) => messageWith(text).getByCss("pre");
  const coloured = (kind: string) => block("Coloured").getByCss(`[data-kind=${kind}]`);
  await shown(coloured("keyword").filter({ hasText: "const" }));
  await shown(coloured("string").filter({ hasText: "onerror" }));
  for (const text of ["Coloured", "Plain"]) await expect.element(block(text)).toHaveTextContent(code);
  // The worker takes one code after the other: it has seen the first one.
  expect(await findingsInBothSchemes()).toEqual([]);
  await expect.poll(() => block("Plain").getByCss("[data-kind]").elements()).toEqual([]);
});
