import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { waitUntil } from "@parley/testing";
import { describe, expect, test } from "vitest";
import { ended } from "./operation.js";
import {
  backup,
  breakBytes,
  calls,
  cut,
  everything,
  expectToSurviveInterrupt,
  fill,
  first,
  folder,
  replaceBackup,
  restore,
  rmSums,
  setRestoreStage,
  start,
  state,
} from "./restore-stage.js";

// deploy/parley restore with a real PostgreSQL and without an engine; on an engine: ../containers/restore.test.ts.

describe("restore", () => {
  setRestoreStage();

  test("replaces the present data by the backup, and removes the events", async () => {
    const { code, output } = await restore();
    expect([code, output]).toEqual([0, expect.stringContaining("parley: done, running: api 0.2.0 x1")]);
    expect(await state()).toEqual({ name: "kept", running: everything });
    expect(await calls()).toContain("volume rm --force stand-in_nats");
    expect(await readFile(join(folder, "uploads"), "utf8")).toBe("kept\n");
  });

  test.each([
    ["is missing", () => rm(join(backup, "database.dump"))],
    ["is broken or cut", () => cut("database.dump", 0.5)],
    ["is broken or cut", () => cut("database.dump", 0.999)],
    ["is broken or cut", () => breakBytes("database.dump")],
    ["is broken or cut", () => rmSums().then(() => writeFile(join(backup, "database.dump"), "no dump"))],
    ["is broken or cut", () => rmSums().then(() => writeFile(join(backup, "uploads.tar"), "no archive".repeat(99)))],
    ["is not what was written into it", () => writeFile(join(backup, "uploads.tar"), "another")],
    ["is no backup of Parley", () => replaceBackup([], "of something else")],
    ["is no backup of Parley", () => replaceBackup(["20990101000000_foreign"], "of something else")],
    ["is of a newer version (parley/api:0.1.0), whose", () => replaceBackup([first, "20990101000000_x"], "newer")],
  ])("a backup that %s is refused before anything is stopped", async (sentence, spoil) => {
    await spoil();
    const { code, output } = await restore();
    expect([code, output]).toEqual([1, expect.stringContaining(sentence)]);
    expect(output).not.toContain("done");
    expect(await state()).toEqual({ name: "present", running: everything });
    expect(await calls()).not.toContain("stop");
  });

  test("a backup that the disk has no room for is refused", async () => {
    const columns = "Filesystem 1M-blocks Used Available Capacity Mounted";
    await writeFile(join(folder, "programs", "df"), `#!/bin/sh\necho ${columns}\necho /dev/x 9 9 0 99% /\n`, {
      mode: 0o755,
    });
    const { code, output } = await restore();
    expect([code, output]).toEqual([1, expect.stringContaining("the disk has 0 MB left; the backup needs")]);
    expect(await state()).toEqual({ name: "present", running: everything });
  });

  test("a version that was rolled back to restores what its newer database left", async () => {
    await replaceBackup([first, "20990101000000_x"], "newer");
    await fill([first, "20990101000000_x"], "present");
    expect((await restore()).code).toBe(0);
    expect((await state()).name).toBe("newer");
  });

  test.each(["pg_restore --no-privileges", "compose run .* tar", "compose rm"])(
    "a failure of '%s' is said, and everything runs",
    async (call) => {
      const { code, output } = await restore({ FAIL_AT: call });
      expect(code).toBe(1);
      expect(output).not.toContain("done");
      expect((await state()).running).toEqual(everything);
    },
  );

  // The other moments are in restore.long.test.ts.
  test.each([
    ["pg_restore --no-privileges", "present"],
    ["volume rm", "kept"],
  ])("Ctrl-C at '%s' leaves everything running, and the same command begins again", expectToSurviveInterrupt);

  test("another operation is refused while one runs, and one that was killed is in nobody's way", async () => {
    const holding = start("restore", [backup, "--yes"], { HOLD_AT: "compose stop" });
    const held = join(folder, "held");
    await waitUntil(() => existsSync(held));
    const second = await ended(start("backup", [join(folder, "other")]));
    expect([second.code, second.output]).toEqual([
      1,
      expect.stringMatching(/^parley: another operation runs, restore .+ by \w+ since [\d:]+Z; nothing was done$/m),
    ]);
    holding.kill("SIGKILL");
    await rm(held);
    await ended(holding);
    const third = await ended(start("restore", [backup, "--yes"]));
    expect([third.code, third.output]).toEqual([0, expect.stringContaining("the last operation ended without a word")]);
    const log = (await readFile(join(folder, "operations.log"), "utf8")).trimEnd().split("\n");
    expect(log.map((line) => line.replace(/^\S+Z \w+ /, "").replaceAll(folder, "."))).toEqual([
      "restore ./backup",
      "restore ./backup",
      "restore ./backup ended with 0",
    ]);
    expect((await readdir(folder)).filter((name) => name.startsWith(".parley"))).toEqual([]);
  });

  test("a backup that fails leaves nothing, and --keep removes backups older than those that it keeps", async () => {
    const backups = join(folder, "backups");
    const [cutOne, before] = ["20260101T000000Z.database.part", "20260102T000000Z-before-0.2.0"];
    for (const name of ["20260101T000000Z", cutOne, before, "20260103T000000Z", "20260104T000000Z.database"]) {
      await mkdir(join(backups, name), { recursive: true });
    }
    const failed = await ended(start("backup", ["--backups", backups], { FAIL_AT: "pg_dump" }));
    expect([failed.code, failed.output]).toEqual([1, expect.stringContaining("the database could not be backed up")]);
    expect((await readdir(backups)).filter((name) => !/^2026010[1-4]/.test(name))).toEqual([]);
    const kept = await ended(start("backup", ["--backups", backups, "--keep", "2"]));
    expect([kept.code, kept.output]).toEqual([0, expect.stringContaining(`removed ${backups}/${before}`)]);
    const [old, unfinished, ...made] = (await readdir(backups)).toSorted();
    expect([old, unfinished]).toEqual(["20260103T000000Z", "20260104T000000Z.database"]);
    expect(made).toEqual([expect.stringMatching(/^\d{8}T\d{6}Z$/)]);
  });
});
