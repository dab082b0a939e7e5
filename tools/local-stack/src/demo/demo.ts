import { createHmac } from "node:crypto";
import { connectDatabase } from "@parley/database/prisma";
import { openChessClub } from "./chess-club.js";
import { demoUsernames, registerPeople } from "./people.js";
import { openPrintShop } from "./print-shop.js";

const passwordLength = 12;

/** An installation that may be filled, and its secret, from which the password of the demo's people is derived. */
interface Installation {
  /** An api: the edge may listen where this machine does not reach it by name. */
  readonly apiUrl: string;
  readonly databaseUrl: string;
  readonly secret: string;
}

/**
 * Fills an installation without accounts with a small community, through the public API. An installation with accounts
 * is not changed.
 *
 * @returns sentences for the person at the terminal
 */
export async function fillWithDemo({ apiUrl, databaseUrl, secret }: Installation): Promise<string[]> {
  const accounts = await countAccounts(databaseUrl);
  // The same for every start on the same data, and another one everywhere else, where strangers may reach the edge.
  const password = createHmac("sha256", secret).update("demo").digest("base64url").slice(0, passwordLength);
  const others = demoUsernames.slice(1).join(", ");
  const whom = `Log in as ann with the password ${password} (${others} have the same one).`;
  if (accounts.all > 0) {
    const kept = "The installation has accounts already, so --demo has changed nothing.";
    return accounts.ofDemo === demoUsernames.length ? [kept, `From an earlier --demo: ${whom}`] : [kept];
  }
  const people = await registerPeople(apiUrl, password);
  await openChessClub(apiUrl, people);
  await openPrintShop(people);
  return [`The demo is ready. ${whom}`];
}

async function countAccounts(databaseUrl: string): Promise<{ all: number; ofDemo: number }> {
  const logger = { info: () => undefined, warn: () => undefined };
  const database = await connectDatabase({ url: databaseUrl, poolMax: 1, applicationName: "parley-demo", logger });
  try {
    const { user } = database.prisma;
    return { all: await user.count(), ofDemo: await user.count({ where: { username: { in: [...demoUsernames] } } }) };
  } finally {
    await database.close();
  }
}
