import { execFileSync } from "node:child_process";

/** Calls that start a stack, or a stage on one, for the file or the test alone. */
export const ownStackCall = /(?<!function )\b(?:startStack|startAdminStage|useOwn\w*Stage)\(/;

/**
 * The tests of folders that use other stacks than the shared one. They are a project apart: every idle process of a stack
 * asks its database and Redis several times a second, so no worker has stacks beside the one that its tests use.
 */
export function filesWithOtherStacks(root: string, folders: readonly string[]): string[] {
  const calls = "\\b(startStack|startAdminStage|useOwn[A-Za-z]*Stage|useMortalStack)\\(";
  const paths = folders.map((folder) => `${folder}/**.test.ts`);
  const args = ["grep", "--untracked", "-lP", calls, "--", ...paths, ":!*.long.test.ts"];
  return execFileSync("git", args, { cwd: root, encoding: "utf8" }).trimEnd().split("\n");
}
