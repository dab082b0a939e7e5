import type { z } from "zod";

/** Settings that a service cannot start with. The message is one line that names each bad setting, never its value. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

/** Environment variables, as `process.env` holds them. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Parses the environment with a service's schema. An empty variable counts as unset, because compose files pass
 * unset variables on as empty ones. Refinements of the schema must not put the value into their message.
 * @throws ConfigError when a setting is missing or wrong
 */
export function loadConfig<S extends z.ZodType>(schema: S, env: Environment): z.output<S> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
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

// zod's own messages are whole sentences ("Too small: …"); ours start with "must".
function sentencePart(message: string): string {
  return message.startsWith("must ") ? message : `is invalid (${message})`;
}
