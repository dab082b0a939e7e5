import { readFileSync } from "node:fs";
import { z } from "zod";

/** Settings that a service cannot start with. The message is one line that names each bad setting, never its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment with a service's schema. An empty variable counts as unset, because compose files pass
 * unset variables on as empty ones. Instead of a setting `NAME` the variable `NAME_FILE` may name a file that holds its
 * value, as secrets are often given; one line break at its end does not count. Within a value `file(/path)` stands for the
 * content of that file, percent-encoded where the value is more of a URL. Refinements of the schema must not put the value
 * into their message.
 * @throws ConfigError when a setting is missing or wrong
 */
export function loadConfig<S extends z.ZodType>(schema: S, env: Environment): z.output<S> {
  const given = withFiles(
    schema,
    Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  );
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => {
    const name = issue.path.map(String).join(".");
    if (name === "") return issue.message;
    return issue.code === "invalid_type" && given[name] === undefined
      ? `${name} is required`
      : `${name} ${sentencePart(issue.message)}`;
  });
  throw new ConfigError(`Invalid settings: ${[...new Set(problems)].join("; ")}`);
}

/** `loadConfig` for a main.ts: on bad settings writes the one line to stderr and ends the process with 1. */
export function loadConfigOrExit<S extends z.ZodType>(schema: S, env: Environment): z.output<S> {
  try {
    return loadConfig(schema, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

function withFiles(schema: z.ZodType, given: Record<string, string>): Record<string, string> {
  const names = schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
  const problems: string[] = [];
  const values = names.flatMap((name) => {
    const path = given[`${name}_FILE`];
    const own = given[name];
    if (path === undefined) {
      return own?.includes("file(/") ? [[name, withContents(name, own, (problem) => problems.push(problem))]] : [];
    }
    if (own !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set`);
      return [];
    }
    const content = readSetting(path);
    if (content.problem === undefined) return [[name, content.value]];
    problems.push(`${name}_FILE ${content.problem}`);
    return [];
  });
  if (problems.length > 0) throw new ConfigError(`Invalid settings: ${problems.join("; ")}`);
  return { ...given, ...Object.fromEntries(values) };
}

function withContents(name: string, value: string, report: (problem: string) => void): string {
  return value.replace(/file\((\/[^()]+)\)/g, (reference, path: string) => {
    const content = readSetting(path);
    if (content.problem !== undefined) {
      report(`${name} ${content.problem}`);
      return "";
    }
    const isPartOfUrl = name.endsWith("_URL") && reference !== value;
    return isPartOfUrl ? encodeURIComponent(content.value) : content.value;
  });
}

function readSetting(path: string): { value: string; problem?: undefined } | { problem: string } {
  try {
    const value = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    return value === "" ? { problem: "names an empty file" } : { value };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? ` (${String(error.code)})` : "";
    return { problem: `names a file that cannot be read${code}` };
  }
}

// zod's own messages are whole sentences ("Too small: …"); ours start with "must".
function sentencePart(message: string): string {
  return message.startsWith("must ") ? message : `is invalid (${message})`;
}
