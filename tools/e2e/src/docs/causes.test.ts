import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { runContext } from "@parley/testing";
import { expect, test } from "vitest";

const { root } = runContext();

test("what an operation publishes is compared with its declaration, also after its answer, and a join counts as SERVER_JOIN", async () => {
  const folder = await mkdtemp(join(tmpdir(), "parley-causes-"));
  const program = `
    import { notePublished, runOperation } from "@parley/messaging";
    const publish = (event) => notePublished({ subject: "events.user.1.servers." + event });
    publish("ROLE_CREATE");
    runOperation({ name: "join", causes: ["SERVER_JOIN", "MEMBER_JOIN"] }, () => {
      publish("SERVER_JOINED");
      publish("SESSION_CLOSE");
      setTimeout(() => publish("ROLE_UPDATE"), 1);
    });
    runOperation({ name: "leave", causes: ["SERVER_LEAVE"] }, () => publish("SERVER_LEFT"));`;
  try {
    const watch = pathToFileURL(join(root, "tools", "testing", "dist", "watch-causes.js")).href;
    await promisify(execFile)(process.execPath, [`--import=${watch}`, "--input-type=module", "--eval", program], {
      cwd: join(root, "services", "api"),
      env: { ...process.env, PARLEY_TEST_RUN_FOLDER: folder },
    });
    expect(await readFile(join(folder, "causes.txt"), "utf8")).toBe("join SERVER_JOIN\nleave SERVER_LEAVE\n");
    expect(await readFile(join(folder, "undeclared-causes.txt"), "utf8")).toBe("join ROLE_UPDATE\n");
  } finally {
    await rm(folder, { recursive: true });
  }
});
