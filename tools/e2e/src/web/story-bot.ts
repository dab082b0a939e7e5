import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runContext } from "@parley/testing";

/** A bot of its own process: a command that sends a button, which opens a form, which is answered for the user alone. */
const program = `
  import { createBot } from ${JSON.stringify(pathToFileURL(join(runContext().root, "packages/client/dist/index.js")).href)};
  const { PARLEY_URL: url, BOT_TOKEN: token } = process.env;
  const bot = createBot({ url, token });
  bot.on("READY", async () => {
    await bot.client.commands.replace({ commands: [{
      name: "clock", description: "Starts a game",
      options: [{ name: "minutes", description: "For each player", type: "integer", required: true, min: 1 }],
    }] });
    process.stdout.write("ready");
  });
  const answers = {
    command: ({ options }) => ({ type: "message", data: {
      content: options.minutes + " minutes each",
      components: [[{ type: "button", style: "primary", label: "Claim a draw", custom_id: "draw" }]],
    } }),
    component: () => ({ type: "modal", data: {
      modal_id: "draw", title: "Why is it a draw?", fields: [{ id: "why", label: "Reason", style: "short" }],
    } }),
    modal: ({ fields }) => ({ type: "message", data: { content: "Claimed: " + fields.why, ephemeral: true } }),
  };
  bot.on("INTERACTION_CREATE", async ({ id, token, type, data }) => {
    await bot.client.interactions.answer(id, token, answers[type](data));
  });
  await bot.run();
`;

/** Starts the bot; resolves once its commands are there. */
export async function startStoryBot(url: string, token: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { PATH: process.env.PATH, PARLEY_URL: url, BOT_TOKEN: token },
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  return child;
}
