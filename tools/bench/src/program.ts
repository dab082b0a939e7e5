import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { z } from "zod";

/** A process of the benchmark's own; it ends with this one. */
export interface BenchChild {
  readonly pid: number;
  /** The next message that nobody has taken yet, in the order in which they came. Rejects when the process has ended. */
  receive<Message>(schema: z.ZodType<Message>): Promise<Message>;
  send(message: object): void;
  /** Sends a command and receives its answer. */
  ask<Answer>(command: object, answer: z.ZodType<Answer>): Promise<Answer>;
  stop(): Promise<void>;
}

/** @param name file of this package without its extension; always the built one, for Node.js runs no TypeScript */
export function forkBenchChild(name: string, args: readonly string[] = []): BenchChild {
  const path = fileURLToPath(new URL(`../dist/${name}.js`, import.meta.url));
  const child = fork(path, [...args], { serialization: "advanced", execArgv: [] });
  const messages: unknown[] = [];
  const waiting: { resolve: (message: unknown) => void; reject: (error: Error) => void }[] = [];
  let hasEnded = false;
  child.on("message", (message) => {
    const next = waiting.shift();
    if (next === undefined) messages.push(message);
    else next.resolve(message);
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      hasEnded = true;
      for (const { reject } of waiting.splice(0)) reject(new Error(`${name} has ended`));
      resolve();
    });
  });
  async function receive<Message>(schema: z.ZodType<Message>): Promise<Message> {
    if (messages.length > 0) return schema.parse(messages.shift());
    if (hasEnded) throw new Error(`${name} has ended`);
    return schema.parse(await new Promise((resolve, reject) => waiting.push({ resolve, reject })));
  }
  return {
    pid: child.pid ?? 0,
    receive,
    send: (message) => child.send(message),
    ask(command, answer) {
      child.send(command);
      return receive(answer);
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}
