import { fork } from "node:child_process";
import { EventEmitter } from "node:events";
import { z } from "zod";

type Functions<F> = Record<keyof F, (...input: never[]) => unknown>;

/** A program of this package that runs as a process of its own; it ends with this one. */
export interface Program<F extends Functions<F>> {
  readonly pid: number;
  /** Calls one of the functions that it serves. Rejects when the process ends before it has answered. */
  call<Name extends keyof F & string>(name: Name, ...input: Parameters<F[Name]>): Promise<Awaited<ReturnType<F[Name]>>>;
  stop(): Promise<void>;
}

const Call = z.object({ id: z.string(), name: z.string(), input: z.array(z.unknown()) });
const Answer = z.object({ id: z.string(), result: z.unknown() });

/** @param name file of this package without its extension; always the built one, for Node.js runs no TypeScript */
export function startProgram<F extends Functions<F>>(name: string): Program<F> {
  const path = new URL(`../dist/${name}.js`, import.meta.url);
  const child = fork(path, { serialization: "advanced", execArgv: [] });
  const answers = new EventEmitter();
  const waiting = new Set<(error: Error) => void>();
  let calls = 0;
  child.on("message", (message) => {
    const { id, result } = Answer.parse(message);
    answers.emit(id, result);
  });
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => {
      for (const reject of waiting) reject(new Error(`${name} has ended`));
      resolve();
    });
  });
  return {
    pid: child.pid ?? 0,
    call(called, ...input) {
      const id = String(calls++);
      return new Promise((resolve, reject) => {
        waiting.add(reject);
        answers.once(id, (result) => {
          waiting.delete(reject);
          resolve(result);
        });
        child.send({ id, name: called, input }, (error) => {
          if (error !== null) reject(error);
        });
      });
    },
    async stop() {
      if (child.connected) child.disconnect();
      await exited;
    },
  };
}

/** Serves functions to the process that started this one as a program, and ends with it. */
export function serve<F extends Functions<F>>(functions: F): void {
  const byName = new Map<string, (...input: never[]) => unknown>(Object.entries(functions));
  process.on("message", async (message) => {
    const { id, name, input } = Call.parse(message);
    const called = byName.get(name);
    if (called === undefined) throw new Error(`There is no function ${name}.`);
    process.send?.({ id, result: await Reflect.apply(called, undefined, input) });
  });
  // The benchmark has ended, one way or another.
  process.on("disconnect", () => process.exit());
}
