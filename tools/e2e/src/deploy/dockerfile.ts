/** One line of a Dockerfile, continuation lines joined. */
export interface Instruction {
  readonly keyword: string;
  readonly text: string;
}

/** The instructions behind one FROM. */
export interface Stage {
  readonly name: string;
  readonly from: string;
  readonly instructions: readonly Instruction[];
}

/** Reads the stages of a Dockerfile; lines before the first FROM are in the stage named "". */
export function parseDockerfile(text: string): Stage[] {
  const stages: { name: string; from: string; instructions: Instruction[] }[] = [
    { name: "", from: "", instructions: [] },
  ];
  const lines = text
    .replace(/^\s*#.*\n/gm, "")
    .replace(/\\\n\s*/g, " ")
    .split("\n");
  for (const line of lines) {
    const [, keyword, rest] = /^([A-Z]+)\s+(.*)$/.exec(line.trim()) ?? [];
    if (keyword === undefined || rest === undefined) continue;
    const [, from = "", name = ""] = /^(?:--platform=\S+\s+)?(\S+)(?:\s+AS\s+(\S+))?$/i.exec(rest) ?? [];
    if (keyword === "FROM") stages.push({ name, from, instructions: [] });
    else stages.at(-1)?.instructions.push({ keyword, text: rest });
  }
  return stages;
}

/** The instructions of a stage after those of the stages that it is made from. */
export function instructionsOf(stages: readonly Stage[], name: string): Instruction[] {
  const stage = stages.find((candidate) => candidate.name === name);
  if (stage === undefined) return [];
  const before = stage.from === "" ? [] : instructionsOf(stages, stage.from);
  return [...before, ...stage.instructions];
}

/** The variables that a stage's ENV lines set. */
export function environmentOf(stages: readonly Stage[], name: string): Record<string, string> {
  const pairs = instructionsOf(stages, name)
    .filter(({ keyword }) => keyword === "ENV")
    .flatMap(({ text }) => text.split(/\s+/))
    .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)] as const);
  return Object.fromEntries(pairs);
}
