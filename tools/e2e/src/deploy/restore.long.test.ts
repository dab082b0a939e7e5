import { describe, test } from "vitest";
import { expectToSurviveInterrupt, setRestoreStage } from "./restore-stage.js";

// The moments of a Ctrl-C that restore.test.ts leaves out.
describe("restore", () => {
  setRestoreStage();

  test.each([
    ["compose stop", "present"],
    ["compose run .* tar", "present"],
    ["compose up --detach --no-recreate --wait$", "kept"],
    ["ps .*service=edge ", "kept"],
  ])("Ctrl-C at '%s' leaves everything running, and the same command begins again", expectToSurviveInterrupt);
});
