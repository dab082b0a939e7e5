// Acts on reports with enough reporters: it bars the author of the message from writing, longer the more measures there
// were against them before, and closes the report with a note. It leaves the rest to moderators. The bot needs a role
// with Mute Members and the right review_reports. Settings: PARLEY_URL, BOT_TOKEN, REPORTERS (how many are enough, 3).
import { createBot, createFileStore, ParleyError } from "@parley/client";

const { PARLEY_URL: url, BOT_TOKEN: token, REPORTERS = "3" } = process.env;
const enough = Number(REPORTERS);
const minutes = [10, 60, 24 * 60];
const measures = new Set(["timeout", "kick", "ban"]);

const bot = createBot({ url, token, store: createFileStore("review-bot.position") });

async function review({ id, server_id, author_id, status, source, reporters }, { client }) {
  if (status !== "open" || author_id === null) return;
  // A report by a rule counts as one reporter more.
  if (reporters.length + (source === "automod" ? 1 : 0) < enough) return;
  const history = await client.moderation.history(server_id, author_id);
  const before = history.filter(({ type }) => measures.has(type)).length;
  const duration_minutes = minutes[Math.min(before, minutes.length - 1)];
  const reason = `Reported by ${reporters.length} members`;
  await client.moderation.timeout(server_id, author_id, { duration_minutes, reason });
  const note = `Timed out for ${duration_minutes} minutes, ${before} measures before`;
  await client.reports.update(server_id, id, { status: "closed", note });
  bot.log(`${author_id}: ${note}`);
}

bot.on("REPORT_CREATE", review);
bot.on("REPORT_UPDATE", review);
bot.catch((error) => {
  // Rights are missing, the owner cannot be moderated, or the member is gone: people still see the report.
  if (!(error instanceof ParleyError)) throw error;
  bot.log(`${error.message} (request ${error.requestId})`);
});
await bot.run();
