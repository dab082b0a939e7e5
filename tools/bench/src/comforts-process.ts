import { once } from "node:events";
import { Agent, createServer, get, type IncomingMessage } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import { ComfortCommand, type ComfortLoad } from "./comforts-load.js";

const lanes = 4;
/** The place of an export that was cut short is free a moment later. */
const retryMs = 50;
const pageDelayMs = 100;
const page = Buffer.from(
  `<title>A page</title><meta name="description" content="text">${"<meta name=x content=y>".repeat(8_000)}`,
);

/** A web server with pages of 200 KB that take 100 ms; 127.0.0.2 stands for the public internet. */
async function startWeb(): Promise<string> {
  const web = createServer((_request, response) => {
    setTimeout(() => response.writeHead(200, { "Content-Type": "text/html" }).end(page), pageDelayMs);
  });
  web.listen(0, "127.0.0.2");
  await once(web, "listening");
  const address = web.address();
  return `http://127.0.0.2:${typeof address === "object" ? address?.port : 0}`;
}

/** One load from its start to its stop. */
class ComfortRun {
  readonly #agent = new Agent({ keepAlive: true, maxSockets: lanes });
  readonly #running: Promise<unknown>;
  #isOver = false;
  #done = 0;

  constructor(load: ComfortLoad, webUrl: string) {
    const run = load.kind === "previews" ? () => this.#preview(load, webUrl) : () => this.#export(load);
    this.#running = Promise.all(Array.from({ length: load.kind === "previews" ? lanes : 1 }, run));
  }

  async stop(): Promise<number> {
    this.#isOver = true;
    await this.#running;
    this.#agent.destroy();
    return this.#done;
  }

  async #preview({ url, headers }: ComfortLoad, webUrl: string): Promise<void> {
    while (!this.#isOver) {
      const asked = encodeURIComponent(`${webUrl}/${Math.random()}`);
      const answer = await this.#open(`${url}?url=${asked}`, headers);
      if (answer.statusCode !== 200) throw new Error(`A preview was answered with ${answer.statusCode}`);
      await once(answer.resume(), "end");
      if (!this.#isOver) this.#done += 1;
    }
  }

  async #export({ url, headers }: ComfortLoad): Promise<void> {
    while (!this.#isOver) {
      const answer = await this.#open(url, headers);
      if (answer.statusCode === 429) {
        await once(answer.resume(), "end");
        await pause(retryMs);
        continue;
      }
      if (answer.statusCode !== 200) throw new Error(`The export was answered with ${answer.statusCode}`);
      for await (const chunk of answer) {
        this.#done += Buffer.byteLength(chunk);
        // Leaving the loop ends the connection.
        if (this.#isOver) break;
      }
    }
  }

  #open(url: string, headers: Record<string, string>): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      get(url, { agent: this.#agent, headers }, resolve).on("error", reject);
    });
  }
}

const web = startWeb();
let run: ComfortRun | null = null;
process.on("message", (message) => void obey(ComfortCommand.parse(message)));
process.on("disconnect", () => process.exit(0));

async function obey(command: ReturnType<typeof ComfortCommand.parse>): Promise<void> {
  if (command.command === "start") run = new ComfortRun(command.load, await web);
  else process.send?.((await run?.stop()) ?? 0);
}
