import { join } from "node:path";
import { Application, LogLevel, ReflectionKind } from "typedoc";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "..");

/** Fields of resources are described in docs/reference/objects.md, where they have more than a name. */
const isWireField = (file: string | undefined) => file?.includes("generated/") === true;

test("every export has a comment, with links that lead somewhere and without types that are not exported", async () => {
  const app = await Application.bootstrapWithPlugins({
    options: join(folder, "typedoc.json"),
    tsconfig: join(folder, "tsconfig.json"),
    entryPoints: [join(folder, "src", "index.ts")],
  });
  const complaints: string[] = [];
  app.logger.log = (message, level) => {
    if (level >= LogLevel.Warn) complaints.push(message);
  };
  const project = await app.convert();
  expect(project).toBeDefined();
  if (project === undefined) return;
  app.validate(project);
  expect(complaints).toEqual([]);
  const members = project.getReflectionsByKind(ReflectionKind.Property | ReflectionKind.CallSignature);
  const bare = members
    .filter((member) => !member.hasComment() && member.parent?.kindOf(ReflectionKind.TypeLiteral) !== true)
    .filter((member) => !isWireField(project.getSymbolIdFromReflection(member)?.packagePath))
    .map((member) => member.getFullName());
  expect(bare).toEqual([]);
  expect(project.getChildByName("createClient")?.kindOf(ReflectionKind.Function)).toBe(true);
});
