// Runs programs of the bootstrap, and writes to the terminal.
import { spawn } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root. */
export const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const running = new Set();

/** One sentence for the person at the terminal; ends the process. */
export class Refusal extends Error {}

/** The path of a program of node_modules. */
export function binary(name) {
  return join(root, "node_modules", ".bin", name);
}

/** Runs a program of node_modules with its output on ours; resolves with the exit code. */
export function loudly([name, ...args], env = {}) {
  return new Promise((resolve) => {
    const child = spawn(binary(name), args, { cwd: root, stdio: "inherit", env: { ...process.env, ...env } });
    running.add(child);
    child.once("error", () => resolve(1));
    child.once("exit", (code) => {
      running.delete(child);
      resolve(code ?? 1);
    });
  });
}

/** Runs a command and returns its output; shows that only when it fails, followed by the sentence. */
export function quietly(command, args, sentence, env = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...env },
    });
    running.add(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => reject(new Refusal(`${command} could not be run: ${error.message}.`)));
    child.once("close", (code) => {
      running.delete(child);
      if (code === 0) {
        resolve(output);
        return;
      }
      process.stderr.write(`${output.trimEnd()}\n`);
      reject(new Refusal(sentence));
    });
  });
}

/** Starts Node.js with a script that works until it is killed; it ends with this process, too. */
export function startBusyLoop() {
  const script =
    "process.stdin.resume().on('end', () => process.exit()); const turn = () => { for (const end = Date.now() + 50; Date.now() < end;); setImmediate(turn); }; turn();";
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "ignore", "ignore"] });
  running.add(child);
  return () => child.kill();
}

/** Passes a signal on to the running programs, and ends. */
export function stopEarly(signal) {
  for (const child of running) child.kill(signal);
  process.exit(130);
}

/** A line on standard output. */
export function say(sentence) {
  process.stdout.write(`${sentence}\n`);
}
